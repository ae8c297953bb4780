// WASI preview 1 for programs in a page: arguments, clocks, random bytes, files in memory, lines of output.
//
// Exports:
//   new Wasi({ args, files, seed, onLine })
//     files: bytes or text by path; onLine(stream, line): a line of output, stream 1 or 2
//   .imports               what a module imports as wasi_snapshot_preview1
//   .run(module, others)   runs a command and returns { code, stdout, stderr, files }; others(memory) has more imports
//   .memory                that of a module that is called rather than run
//   .pass(milliseconds)    lets time pass on its clocks
//   nothing                a function that does nothing
// @ts-check

const OK = 0;
const BADF = 8;
const EXIST = 20;
const INVAL = 28;
const ISDIR = 31;
const NOENT = 44;
const NOSYS = 52;
const NOTDIR = 54;
const NOTEMPTY = 55;

const CHARACTERS = 2;
const FOLDER = 3;
const FILE = 4;
const ROOT = 3;

/** How much of the output is kept, in UTF-16 units. */
const MOST_OUTPUT = 16 << 20;

/** @type {(...all: any[]) => void} */
export const nothing = () => {};

class Exit extends Error {
  constructor(code) {
    super(`exited with ${code}`);
    this.code = code;
  }
}

class File {
  constructor(bytes = new Uint8Array()) {
    this.set(bytes);
    this.changed = Date.now();
  }

  set(bytes) {
    this.room = bytes;
    this.size = bytes.length;
  }

  get bytes() {
    return this.room.subarray(0, this.size);
  }

  /** Makes the file this long; what is new is zero. */
  resize(size) {
    if (size > this.room.length) {
      const room = new Uint8Array(Math.max(size, 2 * this.room.length, 4096));
      room.set(this.bytes);
      this.room = room;
    } else {
      this.room.fill(0, size, this.size);
    }
    this.size = size;
  }

  write(at, bytes) {
    if (at + bytes.length > this.size) this.resize(at + bytes.length);
    this.room.set(bytes, at);
    this.changed = Date.now();
  }
}

class Folder {
  constructor() {
    /** @type {Map<string, File | Folder>} */
    this.entries = new Map();
    this.changed = Date.now();
  }
}

const wordsOf = (path) => path.split('/').filter((word) => word && word !== '.');

/** The files of a program, by their paths from one root. */
class Disk {
  constructor(files) {
    this.root = new Folder();
    for (const [path, content] of Object.entries(files)) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      // A copy: the program may write into it.
      this.folderOf(wordsOf(path)).entries.set(wordsOf(path).pop(), new File(bytes.slice()));
    }
  }

  folderOf(words) {
    let folder = this.root;
    for (const word of words.slice(0, -1)) {
      if (!folder.entries.has(word)) folder.entries.set(word, new Folder());
      folder = /** @type {Folder} */ (folder.entries.get(word));
    }
    return folder;
  }

  /** Returns all files by their paths. */
  all(folder = this.root, prefix = '', files = {}) {
    for (const [name, node] of folder.entries) {
      if (node instanceof Folder) this.all(node, `${prefix}${name}/`, files);
      else files[prefix + name] = node.bytes.slice();
    }
    return files;
  }
}

/** What has been written to a stream, passed on line by line. */
class Lines {
  constructor(stream, onLine) {
    this.decoder = new TextDecoder();
    this.stream = stream;
    this.onLine = onLine;
    this.text = '';
    this.line = '';
  }

  write(bytes) {
    if (this.text.length > MOST_OUTPUT) return;
    const text = this.decoder.decode(bytes, { stream: true });
    this.text += text;
    const lines = (this.line + text).split('\n');
    this.line = lines.pop();
    for (const line of lines) this.onLine(this.stream, line);
  }

  end() {
    if (this.line) this.onLine(this.stream, this.line);
    this.line = '';
  }
}

/** Returns a function that makes random numbers of 32 bits (splitmix32). */
function random(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let t = state ^ (state >>> 16);
    t = Math.imul(t, 0x21f0aaad);
    t = Math.imul(t ^ (t >>> 15), 0x735a2d97);
    return (t ^ (t >>> 15)) >>> 0;
  };
}

export class Wasi {
  constructor({ args = ['referee'], files = {}, seed = null, onLine = nothing } = {}) {
    this.lists = { args, environ: [] };
    this.disk = new Disk(files);
    this.random = random(seed ?? crypto.getRandomValues(new Uint32Array(1))[0]);
    this.passed = 0;
    this.output = [null, new Lines(1, onLine), new Lines(2, onLine)];
    /** @type {Map<number, { node: File | Folder | null, at: number, append?: boolean }>} */
    this.open = new Map([0, 1, 2].map((fd) => [fd, { node: null, at: 0 }]));
    this.open.set(ROOT, { node: this.disk.root, at: 0 });
    /** @type {WebAssembly.Memory} */
    this.memory = null;
    this.imports = this.functions();
  }

  run(module, others = /** @type {(memory: () => WebAssembly.Memory) => object} */ (() => ({}))) {
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: this.imports,
      ...others(() => this.memory),
    });
    this.memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    let code = 0;
    try {
      /** @type {any} */ (instance.exports)._start();
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
      code = error.code;
    }
    for (const stream of [1, 2]) this.output[stream].end();
    return { code, stdout: this.output[1].text, stderr: this.output[2].text, files: this.disk.all() };
  }

  pass(milliseconds) {
    this.passed += milliseconds;
  }

  /** Returns the time of a clock in nanoseconds: 0 is that of the world. */
  now(clock) {
    const milliseconds = (clock === 0 ? performance.timeOrigin : 0) + performance.now() + this.passed;
    return BigInt(Math.round(milliseconds * 1e6));
  }

  get view() {
    return new DataView(this.memory.buffer);
  }

  bytes(at, length) {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  /** Returns the pieces of memory that a list of them names. */
  pieces(at, count) {
    const { view } = this;
    return Array.from({ length: count }, (_, i) =>
      this.bytes(view.getUint32(at + 8 * i, true), view.getUint32(at + 8 * i + 4, true)),
    );
  }

  /** Finds what a path names, seen from an open folder: the folder that it is in, its name there, and itself. */
  find(fd, at, length) {
    const from = this.open.get(fd);
    if (!from || !(from.node instanceof Folder)) return { error: from ? NOTDIR : BADF };
    const above = [];
    /** @type {File | Folder | undefined} */
    let node = from.node;
    let name = '';
    for (const word of wordsOf(new TextDecoder().decode(this.bytes(at, length)))) {
      if (!node) return { error: NOENT };
      if (!(node instanceof Folder)) return { error: NOTDIR };
      if (word === '..') {
        node = above.pop() ?? this.disk.root;
      } else {
        above.push(node);
        name = word;
        node = node.entries.get(word);
      }
    }
    return { error: OK, folder: above.pop(), name, node };
  }

  /** Writes what there is to know of a file or folder. */
  stat(at, node) {
    this.bytes(at, 64).fill(0);
    const { view } = this;
    view.setUint8(at + 16, node === null ? CHARACTERS : node instanceof Folder ? FOLDER : FILE);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(node instanceof File ? node.size : 0), true);
    const changed = BigInt(node ? node.changed : 0) * 1_000_000n;
    for (const offset of [40, 48, 56]) view.setBigUint64(at + offset, changed, true);
    return OK;
  }

  listFunctions(name) {
    const list = this.lists[name].map((word) => new TextEncoder().encode(`${word}\0`));
    return {
      [`${name}_sizes_get`]: (count, size) => {
        this.view.setUint32(count, list.length, true);
        const all = list.reduce((sum, word) => sum + word.length, 0);
        this.view.setUint32(size, all, true);
        return OK;
      },
      [`${name}_get`]: (pointers, at) => {
        list.forEach((word, i) => {
          this.view.setUint32(pointers + 4 * i, at, true);
          this.bytes(at, word.length).set(word);
          at += word.length;
        });
        return OK;
      },
    };
  }

  read(fd, list, count, at, result) {
    const file = this.open.get(fd);
    if (!file) return BADF;
    if (file.node instanceof Folder) return ISDIR;
    let total = 0;
    for (const piece of file.node ? this.pieces(list, count) : []) {
      const from = file.node.bytes.subarray(at + total, at + total + piece.length);
      piece.set(from);
      total += from.length;
    }
    this.view.setUint32(result, total, true);
    return OK;
  }

  write(fd, list, count, at, result) {
    const file = this.open.get(fd);
    if (!file || file.node instanceof Folder) return BADF;
    let total = 0;
    for (const piece of this.pieces(list, count)) {
      if (file.node) file.node.write(at + total, piece);
      else this.output[fd]?.write(piece);
      total += piece.length;
    }
    this.view.setUint32(result, total, true);
    return OK;
  }

  openPath(fd, path, length, how, flags, result) {
    const found = this.find(fd, path, length);
    if (found.error) return found.error;
    const { folder, name } = found;
    let { node } = found;
    const [create, isFolder, isNew, truncate] = [1, 2, 4, 8].map((flag) => (how & flag) !== 0);
    if (node && create && isNew) return EXIST;
    if (!node && !create) return NOENT;
    if (isFolder && !(node instanceof Folder)) return NOTDIR;
    if (!node) {
      node = new File();
      folder.entries.set(name, node);
    }
    if (truncate && node instanceof File) node.resize(0);
    let free = ROOT + 1;
    while (this.open.has(free)) free += 1;
    this.open.set(free, { node, at: 0, append: (flags & 1) !== 0 });
    this.view.setUint32(result, free, true);
    return OK;
  }

  remove(fd, path, length, kind) {
    const { error, folder, name, node } = this.find(fd, path, length);
    if (error || !node || !folder) return error || NOENT;
    if (!(node instanceof kind)) return node instanceof Folder ? ISDIR : NOTDIR;
    if (node instanceof Folder && node.entries.size > 0) return NOTEMPTY;
    folder.entries.delete(name);
    return OK;
  }

  /** Writes the entries of a folder from one on, as many as there is room for; the last one may be cut. */
  readFolder(fd, at, room, cookie, result) {
    const folder = this.open.get(fd)?.node;
    if (!(folder instanceof Folder)) return folder ? NOTDIR : BADF;
    const start = at;
    let next = Number(cookie);
    for (const [name, node] of [...folder.entries].slice(next)) {
      next += 1;
      const text = new TextEncoder().encode(name);
      const entry = new Uint8Array(24 + text.length);
      const view = new DataView(entry.buffer);
      view.setBigUint64(0, BigInt(next), true);
      view.setUint32(16, text.length, true);
      view.setUint8(20, node instanceof Folder ? FOLDER : FILE);
      entry.set(text, 24);
      const cut = entry.subarray(0, start + room - at);
      this.bytes(at, cut.length).set(cut);
      at += cut.length;
    }
    this.view.setUint32(result, at - start, true);
    return OK;
  }

  folderFunctions() {
    return {
      path_open: (fd, _links, path, length, how, _rights, _inherited, flags, result) =>
        this.openPath(fd, path, length, how, flags, result),
      path_filestat_get: (fd, _links, path, length, result) => {
        const { error, node } = this.find(fd, path, length);
        return error || !node ? error || NOENT : this.stat(result, node);
      },
      path_create_directory: (fd, path, length) => {
        const { error, folder, name, node } = this.find(fd, path, length);
        if (error || node) return error || EXIST;
        folder.entries.set(name, new Folder());
        return OK;
      },
      path_rename: (fd, path, length, to, newPath, newLength) => {
        const from = this.find(fd, path, length);
        const target = this.find(to, newPath, newLength);
        if (from.error || target.error) return from.error || target.error;
        if (!from.node || !from.folder || !target.folder) return NOENT;
        from.folder.entries.delete(from.name);
        target.folder.entries.set(target.name, from.node);
        return OK;
      },
      path_unlink_file: (fd, path, length) => this.remove(fd, path, length, File),
      path_remove_directory: (fd, path, length) => this.remove(fd, path, length, Folder),
      path_readlink: (fd, path, length) => this.find(fd, path, length).error || INVAL,
      fd_readdir: (fd, at, room, cookie, result) => this.readFolder(fd, at, room, cookie, result),
      fd_prestat_get: (fd, result) => {
        if (fd !== ROOT) return BADF;
        this.bytes(result, 8).set([0, 0, 0, 0, 1, 0, 0, 0]);
        return OK;
      },
      fd_prestat_dir_name: (_fd, at) => {
        this.bytes(at, 1)[0] = '/'.charCodeAt(0);
        return OK;
      },
    };
  }

  fileFunctions() {
    const known = (fd) => (this.open.has(fd) ? OK : BADF);
    const ofFile = (fd, run) => {
      const node = this.open.get(fd)?.node;
      if (!(node instanceof File)) return node === undefined ? BADF : INVAL;
      return run(node) ?? OK;
    };
    const seek = (fd, offset, whence, result) =>
      ofFile(fd, (file) => {
        const open = this.open.get(fd);
        const at = [0, open.at, file.size][whence] + Number(offset);
        if (at < 0) return INVAL;
        open.at = at;
        this.view.setBigUint64(result, BigInt(at), true);
      });
    /** Reads or writes where the file is, and moves behind it. */
    const move = (run) => (fd, list, count, result) => {
      const open = this.open.get(fd);
      if (open?.append && open.node instanceof File) open.at = open.node.size;
      const error = run.call(this, fd, list, count, open?.at, result);
      if (!error) open.at += this.view.getUint32(result, true);
      return error;
    };
    const at = (run) => (fd, list, count, offset, result) => run.call(this, fd, list, count, Number(offset), result);
    return {
      fd_read: move(this.read),
      fd_write: move(this.write),
      fd_pread: at(this.read),
      fd_pwrite: at(this.write),
      fd_seek: seek,
      fd_tell: (fd, result) => seek(fd, 0n, 1, result),
      fd_close: (fd) => (this.open.delete(fd) ? OK : BADF),
      fd_sync: known,
      fd_datasync: known,
      fd_advise: known,
      fd_allocate: (fd, offset, length) =>
        ofFile(fd, (file) => file.resize(Math.max(file.size, Number(offset + length)))),
      fd_filestat_get: (fd, result) => known(fd) || this.stat(result, this.open.get(fd).node),
      fd_filestat_set_size: (fd, size) => ofFile(fd, (file) => file.resize(Number(size))),
      fd_filestat_set_times: known,
      fd_fdstat_set_flags: (fd, flags) => {
        if (known(fd) === OK) this.open.get(fd).append = (flags & 1) !== 0;
        return known(fd);
      },
      fd_fdstat_get: (fd, result) => {
        const open = this.open.get(fd);
        if (!open) return BADF;
        this.bytes(result, 24).fill(0xff);
        this.view.setUint8(result, open.node === null ? CHARACTERS : open.node instanceof Folder ? FOLDER : FILE);
        this.view.setUint16(result + 2, open.append ? 1 : 0, true);
        return OK;
      },
    };
  }

  functions() {
    const unknown = () => NOSYS;
    return {
      ...this.listFunctions('args'),
      ...this.listFunctions('environ'),
      ...this.folderFunctions(),
      ...this.fileFunctions(),
      ...Object.fromEntries(
        ['path_link', 'path_symlink', 'path_filestat_set_times', 'fd_renumber'].map((name) => [name, unknown]),
      ),
      clock_res_get: (_clock, result) => {
        this.view.setBigUint64(result, 1000n, true);
        return OK;
      },
      clock_time_get: (clock, _precision, result) => {
        this.view.setBigUint64(result, this.now(clock), true);
        return OK;
      },
      random_get: (at, length) => {
        for (let i = 0; i < length; i++) this.bytes(at + i, 1)[0] = this.random();
        return OK;
      },
      sched_yield: () => OK,
      poll_oneoff: (list, events, count, result) => this.sleep(list, events, count, result),
      proc_exit: (code) => {
        throw new Exit(code);
      },
    };
  }

  /** Waits for the first of some clocks. Nothing happens while it waits, so the time passes on the clocks only. */
  sleep(list, events, count, result) {
    const { view } = this;
    const waits = Array.from({ length: count }, (_, i) => list + 48 * i)
      .filter((at) => view.getUint8(at + 8) === 0)
      .map((at) => {
        const now = view.getUint16(at + 40, true) & 1 ? this.now(view.getUint32(at + 16, true)) : 0n;
        return { at, time: Number(view.getBigUint64(at + 24, true) - now) / 1e6 };
      });
    if (waits.length === 0) return NOSYS;
    const first = waits.reduce((one, other) => (other.time < one.time ? other : one));
    this.pass(Math.max(0, first.time));
    this.bytes(events, 32).fill(0);
    view.setBigUint64(events, view.getBigUint64(first.at, true), true);
    view.setUint32(result, 1, true);
    return OK;
  }
}
