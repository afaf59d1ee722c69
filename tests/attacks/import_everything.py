"""Import hundreds of modules, so that the time before the lock grows.

must: all points
from level: 1
"""
import argparse, ast, asyncio, base64, bisect, bz2, calendar, cmath, code, codecs, collections.abc, colorsys
import compileall, concurrent.futures, configparser, contextlib, copy, csv, ctypes.util, curses, dataclasses
import datetime, dbm.dumb, decimal, difflib, dis, doctest, email.mime.text, enum, filecmp, fileinput, fractions
import ftplib, functools, getpass, gettext, graphlib, gzip, hashlib, heapq, html.parser, http.server, imaplib
import inspect, ipaddress, itertools, json, keyword, logging.handlers, lzma, mailbox, multiprocessing.managers
import netrc, numbers, opcode, optparse, pdb, pickle, pickletools, platform, plistlib, poplib, pprint, profile
import pstats, pty, queue, quopri, random, readline, reprlib, rlcompleter, runpy, sched, secrets, selectors
import shelve, shlex, shutil, smtplib, socketserver, sqlite3, ssl, statistics, stringprep, symtable, sysconfig
import tabnanny, tarfile, tempfile, termios, textwrap, timeit, token, tomllib, trace, tracemalloc, tty, typing
import unicodedata, unittest.mock, urllib.request, uuid, wave, weakref, wsgiref.simple_server, xml.dom.minidom
import xmlrpc.server, zipapp, zipfile, zipimport, zoneinfo

### REFERENCE ###
