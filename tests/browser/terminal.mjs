// A program in a terminal of 80 columns and 24 lines, whose screen can be read and whose keys can be pressed.

import { spawn } from 'node:child_process';
import xterm from '@xterm/headless';

export const COLUMNS = 80;
export const ROWS = 24;

export class Terminal {
  /** Starts a command. script(1) makes the pseudo-terminal, so no module has to be compiled. */
  constructor(words, env = {}) {
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const command = `stty rows ${ROWS} cols ${COLUMNS}; exec ${quoted}`;
    this.screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
    this.child = spawn('script', ['-qfec', command, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm-256color', LANG: 'C.UTF-8', NO_COLOR: '', COLORFGBG: '15;0', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout.on('data', (bytes) => this.screen.write(bytes));
    // The program asks where the cursor is.
    this.screen.onData((answer) => this.press(answer));
    this.ended = new Promise((ended) => this.child.on('close', ended));
  }

  press(keys) {
    this.child.stdin.write(keys);
  }

  /** Returns the lines of the screen as text. */
  text() {
    const buffer = this.screen.buffer.active;
    const line = (row) => buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? '';
    return Array.from({ length: ROWS }, (_, row) => line(row)).join('\n');
  }

  /** Returns the screen's cells: a text, the number of a colour or null, and how it is written. */
  cells() {
    const buffer = this.screen.buffer.active;
    const cell = (row, column) => {
      const cell = buffer.getLine(buffer.viewportY + row).getCell(column);
      return {
        text: cell.getChars() || ' ',
        colour: cell.isFgPalette() ? cell.getFgColor() : null,
        bold: cell.isBold() !== 0,
        dim: cell.isDim() !== 0,
        inverse: cell.isInverse() !== 0,
      };
    };
    const columns = [...Array(COLUMNS).keys()];
    return [...Array(ROWS).keys()].map((row) => columns.map((column) => cell(row, column)));
  }

  /** Waits until the screen shows `what`, a text or a pattern. */
  async shows(what, patience = 60_000) {
    const end = Date.now() + patience;
    const found = () => (typeof what === 'string' ? this.text().includes(what) : what.test(this.text()));
    while (!found()) {
      if (Date.now() > end) throw new Error(`the terminal never showed ${what}:\n${this.text()}`);
      await new Promise((over) => setTimeout(over, 10));
    }
  }
}
