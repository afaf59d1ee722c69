"""Never end, and catch everything that could end it.

must: no points; not loaded
from level: 1
"""
### STARTER ###


def forever():
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
        finally:
            forever()


forever()
