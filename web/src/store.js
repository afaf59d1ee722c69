// What a learner wrote, kept in this browser: by exercise, and by the starter it was written on.
//
// Several courses may lie on one host, so the folder of the page is part of each name.

const prefix = (base) => `handgrad:${new URL(".", base).pathname}:`;

function readJson(storage, name, otherwise) {
  try {
    return JSON.parse(storage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** A view of one exercise's record: `{codes: {version: {code, at}}, passed: {version, at} | null, given}`. */
export class Shelf {
  constructor(slug, version, { storage, base }) {
    this.name = prefix(base) + slug;
    this.version = version;
    this.storage = storage;
  }

  get record() {
    return { codes: {}, passed: null, given: false, ...readJson(this.storage, this.name, {}) };
  }

  /** Change the record. False when the browser keeps nothing. */
  change(edit) {
    const record = this.record;
    edit(record);
    try {
      this.storage.setItem(this.name, JSON.stringify(record));
      return true;
    } catch {
      return false;
    }
  }

  load() {
    return this.record.codes[this.version]?.code ?? null;
  }

  /** The newest work on another starter than this one, or null. */
  older() {
    const others = Object.entries(this.record.codes).filter(([version]) => version !== this.version);
    others.sort(([, a], [, b]) => b.at - a.at);
    return others.length ? { version: others[0][0], ...others[0][1] } : null;
  }

  save(code, at = Date.now()) {
    return this.change((record) => (record.codes[this.version] = { code, at }));
  }

  forget(version = this.version) {
    return this.change((record) => delete record.codes[version]);
  }

  pass(code, at = Date.now()) {
    return this.change((record) => (record.passed = { version: this.version, at, code }));
  }

  get passed() {
    return this.record.passed;
  }

  get started() {
    return Object.keys(this.record.codes).length > 0;
  }

  get lastTouched() {
    const times = Object.values(this.record.codes).map(({ at }) => at);
    return Math.max(0, ...times, this.record.passed?.at ?? 0);
  }
}

/** The browser's storage, or one that forgets when the browser refuses. */
export function openStorage() {
  try {
    localStorage.setItem("handgrad:probe", "1");
    localStorage.removeItem("handgrad:probe");
    return { storage: localStorage, keeps: true };
  } catch {
    const map = new Map();
    return {
      keeps: false,
      storage: { getItem: (name) => map.get(name) ?? null, setItem: (name, value) => map.set(name, value) },
    };
  }
}

/** Which of the exercises that this one gives away are still to be written by this learner. */
export function closedBy(exercise, outline, access) {
  if (new Shelf(exercise.slug, exercise.version, access).record.given) return [];
  return exercise.reveals
    .map((slug) => outline.find((other) => other.slug === slug))
    .filter((other) => other && !new Shelf(other.slug, other.version, access).passed);
}
