// Bots that are written in the page, in JavaScript or Python.
//
// Exports:
//   javascript(files)         promises the makers' function of a bot: its files by name; bot.js exports hear(line)
//   loadPython(folder)        promises Python, of which the files are in the folder
//   python(files, pyodide)    promises that of a bot with bot.py, for which Python has run nothing yet
//   Problem                   what they throw if the bot cannot be read: .file, .line, .message
// @ts-check

import { Ended } from './players.mjs';
import { nothing } from './wasi.mjs';

/** A bot cannot be read. */
export class Problem extends Error {
  constructor(file, line, message) {
    super(message);
    this.file = file;
    this.line = line;
  }
}

/** Returns the makers' function of the bot whose program has this name. */
const writtenBot = (name, start) => (command) =>
  command.split(' ').some((word) => word === name || word.endsWith(`/${name}`)) ? { start, watched: true } : null;

/** Returns a value about as console.log writes it. */
function shown(value) {
  if (value instanceof Error) return value.stack ?? String(value);
  if (value instanceof Map || value instanceof Set) return shown([...value]);
  try {
    return typeof value === 'object' && value ? (JSON.stringify(value) ?? String(value)) : String(value);
  } catch {
    // A circle, or a number without an end of its own.
    return String(value);
  }
}

const script = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));

/** Returns a file of a bot as a function of what Node.js gives to one, in a script of its own. */
async function moduleOf(name, source) {
  // In one line with the first of the file, so that errors name its lines.
  const body = `(exports, require, module, console, process) {${source}\n}\n//# sourceURL=${name}`;
  try {
    return (await import(script(`export default function ${body}`))).default;
  } catch (error) {
    throw new Problem(name, await lineOf(`'use strict'; void function ${body}\npostMessage(0);`), error.message);
  }
}

/** Returns the line of the fault of a script, which only the error event of a worker tells. */
const lineOf = (text) =>
  new Promise((resolve) => {
    const worker = new Worker(script(text));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      worker.terminate();
      resolve(event.lineno || null);
    });
    worker.addEventListener('message', () => resolve(null));
  });

/** @param {Record<string, string>} files */
export async function javascript(files) {
  const modules = {};
  for (const [name, source] of Object.entries(files)) modules[name] = await moduleOf(name, source);
  const start = (say) => {
    const loaded = {};
    const print =
      (stream) =>
      (...values) =>
        say(stream, `${values.map(shown).join(' ')}\n`);
    const [out, err] = [print(1), print(2)];
    const console = { log: out, info: out, debug: out, error: err, warn: err, trace: err };
    const process = {
      argv: ['node', 'bot.js'],
      env: {},
      exit: () => {
        throw new Ended();
      },
      stdout: { write: (text) => say(1, String(text)) },
      stderr: { write: (text) => say(2, String(text)) },
    };
    const load = (path) => {
      const name = path.replace(/^\.\//, '').replace(/(\.js)?$/, '.js');
      if (!Object.hasOwn(modules, name))
        throw new Error(`Cannot find module '${path}': on this page a bot has its own files`);
      if (!loaded[name]) {
        loaded[name] = { exports: {} };
        modules[name](loaded[name].exports, load, loaded[name], console, process);
      }
      return loaded[name].exports;
    };
    const { hear } = load('./bot.js');
    return (text) =>
      text
        .split(/\r?\n/)
        .slice(0, -1)
        .forEach((line) => hear(line));
  };
  return writtenBot('bot.js', start);
}

/** Starts bots in Python, each with modules of its own. */
const PYTHON = `
import importlib, sys, traceback

def problem(names):
    for name in names:
        try:
            with open(name, encoding="utf-8") as file:
                compile(file.read(), name, "exec")
        except SyntaxError as error:
            return [name, error.lineno, error.msg]

def guarded(run):
    """Returns whether the bot continues."""
    try:
        run()
        return True
    except SystemExit:
        return False
    except BaseException as error:
        # The first frames are those of this function and of its argument.
        error.__traceback__ = error.__traceback__.tb_next and error.__traceback__.tb_next.tb_next
        traceback.print_exception(error)
        return False
    finally:
        sys.stdout.flush()
        sys.stderr.flush()

def start(names):
    for name in names:
        sys.modules.pop(name.removesuffix(".py"), None)
    importlib.invalidate_caches()
    bot = []
    def hear(text):
        if not bot and not guarded(lambda: bot.append(importlib.import_module("bot"))):
            return False
        return all(guarded(lambda: bot[0].hear(line)) for line in text.splitlines())
    return hear
`;

/** @param {string} folder */
export async function loadPython(folder) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  return loadPyodide({ indexURL: folder });
}

/** @param {Record<string, string>} files */
export async function python(files, pyodide) {
  let sink = nothing;
  const stream = (number) => {
    const decoder = new TextDecoder();
    return {
      write: (bytes) => {
        sink(number, decoder.decode(bytes, { stream: true }));
        return bytes.length;
      },
    };
  };
  pyodide.setStdout(stream(1));
  pyodide.setStderr(stream(2));
  for (const [name, source] of Object.entries(files)) pyodide.FS.writeFile(name, source);
  pyodide.runPython(PYTHON);
  const names = pyodide.toPy(Object.keys(files));
  const problem = pyodide.globals.get('problem')(names)?.toJs();
  if (problem) throw new Problem(...problem);
  const start = (say) => {
    const hear = pyodide.globals.get('start')(names);
    return (text) => {
      sink = say;
      if (!hear(text)) throw new Ended();
    };
  };
  return writtenBot('bot.py', start);
}
