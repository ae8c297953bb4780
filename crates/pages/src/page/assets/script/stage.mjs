// What the boards of a game show.

import { plural } from './words.mjs';
import { el, setText } from './dom.mjs';
import { SEATS, nameOf, playerLink } from './data.mjs';
import { cellsOf, followUnits, judgeClassic } from './judge.mjs';
import { FleetList, Grid } from './board.mjs';

/** Both boards of a classic game. */
export class ClassicStage {
  constructor(game, setup, onTurn) {
    Object.assign(this, { game, setup });
    this.boards = judgeClassic(game, setup);
    this.fleets = SEATS.map(() => new FleetList(setup.ships));
    this.grids = SEATS.map(
      (seat) => new Grid(setup, [playerLink(nameOf(game, seat))], (cell) => onTurn(this.boards[seat].attacked[cell])),
    );
    this.nodes = SEATS.map((seat) => el('div', { class: 'sea' }, this.grids[seat].node, this.fleets[seat].node));
    this.legend = [
      ['miss', '•', 'miss'],
      ['hit', '×', 'hit'],
      ['sunk', '#', 'sunk'],
      ['ship', '', 'ship'],
      ['last', '', 'last attack'],
    ];
  }

  show(time, view, best) {
    const last = time > 0 ? this.game.turns[time - 1] : null;
    for (const seat of SEATS) {
      const open = view === 'judge' || view === String(seat);
      const board = this.boards[seat];
      const attacked = last && last.seat !== seat;
      for (let cell = 0; cell < board.owner.length; cell++) {
        const [kind, sign, words] = this.look(board, cell, time, open);
        const isLast = attacked && cell === last.cell;
        const isBest = attacked && cell === best;
        const classes = `${kind}${isLast ? ' last' : ''}${isBest ? ' best' : ''}`;
        this.grids[seat].set(
          cell,
          classes,
          sign,
          `${words}${isLast ? ', last attack' : ''}${isBest ? ', advised' : ''}`,
        );
      }
      const count = this.game.turns.filter((turn, i) => i < time && turn.seat !== seat).length;
      setText(this.grids[seat].count, `attacked ${count === 1 ? 'once' : `${count} times`}`);
      this.fleets[seat].show(this.hits(seat, time, open));
    }
  }

  look(board, cell, time, open) {
    const ship = board.owner[cell];
    const name = ship >= 0 ? this.setup.ships[ship].name : '';
    if (board.attacked[cell] > 0 && board.attacked[cell] <= time) {
      if (ship < 0) return ['miss', '•', 'miss'];
      if (board.sunk[ship] <= time) return ['sunk', '#', `sunk ${name}`];
      return ['hit', '×', open ? `hit ${name}` : 'hit'];
    }
    return open && ship >= 0 ? ['ship', '', name] : ['', '', ''];
  }

  /** Returns the damage of a fleet; an opponent knows only which ships are sunk. */
  hits(seat, time, open) {
    const board = this.boards[seat];
    return this.setup.ships.map((ship, id) => {
      if (board.sunk[id] <= time) return 2 ** ship.length - 1;
      if (!open || !this.game.fleets[seat]) return 0;
      const cells = cellsOf(this.game.fleets[seat][id], this.setup);
      return cells.reduce((bits, cell, i) => {
        const hit = board.attacked[cell] > 0 && board.attacked[cell] <= time;
        return bits + (hit ? 2 ** i : 0);
      }, 0);
    });
  }
}

/** The four grids of a twist game: under each player's own grid what its enemy has noted of it. */
export class TwistStage {
  constructor(game, setup) {
    Object.assign(this, { game, setup });
    this.damage = followUnits(game, setup);
    this.fleets = SEATS.map(() => new FleetList(setup.ships));
    const ignore = () => {};
    this.own = SEATS.map((seat) => new Grid(setup, [playerLink(nameOf(game, seat))], ignore));
    this.known = SEATS.map((seat) => new Grid(setup, [`what ${nameOf(game, 1 - seat)} knows of it`], ignore));
    this.nodes = SEATS.map((seat) =>
      el('div', { class: 'sea twist' }, this.own[seat].node, this.known[seat].node, this.fleets[seat].node),
    );
    this.legend = [
      ['ship', 'C', 'battleship'],
      ['ship', 'S', 'support ship'],
      ['ship', 'E', 'submarine'],
      ['hit', '×', 'damaged, or hit'],
      ['miss', '•', 'miss'],
      ['seen', 'Y', 'seen by sonar'],
      ['changed', '', 'changed in this turn'],
      ['last', '', 'target of this turn'],
    ];
  }

  show(time, view) {
    const now = this.game.frames[time];
    const before = this.game.frames[Math.max(time - 1, 0)];
    const last = time > 0 ? this.game.turns[time - 1] : null;
    for (const seat of SEATS) {
      const open = view === 'judge' || view === String(seat);
      this.own[seat].node.hidden = !open;
      this.known[seat].node.hidden = view === String(seat);
      const fires = last && (last.result === 'hit' || last.result === 'miss');
      const target = last && (fires ? last.seat !== seat : last.seat === seat) ? last.cell : -1;
      this.fill(this.own[seat], now[seat], before[seat], target, (letter) => this.ownLook(letter));
      const notes = 2 + (1 - seat);
      this.fill(this.known[seat], now[notes], before[notes], fires ? target : -1, knownLook);
      const sunk = this.damage[time][seat].filter((hits, id) => hits === 2 ** this.setup.ships[id].length - 1).length;
      setText(this.own[seat].count, sunk ? `${plural(sunk, 'unit')} sunk` : 'all units afloat');
      this.fleets[seat].node.hidden = !open;
      this.fleets[seat].show(this.damage[time][seat]);
    }
  }

  fill(grid, now, before, target, look) {
    now.forEach((byte, cell) => {
      const [kind, sign, words] = look(String.fromCharCode(byte));
      const marks = `${byte !== before[cell] ? ' changed' : ''}${cell === target ? ' last' : ''}`;
      const said = `${words}${byte !== before[cell] ? ', changed' : ''}${cell === target ? ', target' : ''}`;
      grid.set(cell, kind + marks, sign, said);
    });
  }

  ownLook(letter) {
    if (letter === '~') return ['', '', ''];
    const ship = this.setup.ships.find((one) => one.symbol === letter.toUpperCase());
    const name = ship ? ship.name : letter;
    return letter === letter.toUpperCase() ? ['ship', letter, name] : ['hit', '×', `damaged ${name}`];
  }
}

export function knownLook(letter) {
  if (letter === 'X') return ['hit', '×', 'hit'];
  if (letter === 'O') return ['miss', '•', 'miss'];
  return letter === 'Y' ? ['seen', 'Y', 'seen by sonar'] : ['', '', ''];
}
