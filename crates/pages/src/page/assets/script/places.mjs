// Where one is: the address, the bar at the top, the title.
// @ts-check

import { plural } from './words.mjs';
import { byId, el, setText } from './dom.mjs';
import { themeButton } from './theme.mjs';
import { data, gamesAddress, nameOf, playerLink, playerName } from './data.mjs';
import { loadGame, loadGames } from './games.mjs';
import { Replay } from './replay.mjs';
import { showGames } from './game_list.mjs';
import { showPlayer } from './player.mjs';

const VIEWS = ['replay', 'player', 'games'];
export let replay = null;
let visits = 0;
let overviewScroll = 0;

export function startReplay() {
  replay = new Replay();
}

/** Takes an address apart: `{view, number, shot, names}`. */
function parseAddress(hash) {
  const game = /^#game=(\d+)(?:&shot=(\d+))?$/.exec(hash);
  if (game)
    return {
      view: 'replay',
      number: Number(game[1]),
      shot: Number(game[2] || 0),
    };
  const list = /^#(player|games)=(.+)$/.exec(hash);
  if (!list) return { view: 'overview' };
  try {
    return { view: list[1], names: list[2].split(',').map(decodeURIComponent) };
  } catch {
    return { view: 'overview' };
  }
}

/** Shows what the address names. */
export async function visit(isFirst) {
  const visitNumber = ++visits;
  let place = parseAddress(location.hash);
  if (data.kind === 'game' && place.view !== 'replay') place = { view: 'replay', number: firstGame(), shot: 0 };
  if (replay.game && place.view === 'replay' && place.number === replay.game.number) {
    replay.go(place.shot, true);
    return;
  }
  replay.close();
  const judged = document.getElementById('judged');
  if (judged && (place.view === 'replay' || place.view === 'games')) {
    // What a judge showed of a game is a part of the overview.
    showView('overview');
    const game = document.getElementById(`judged-${place.number}`);
    if (game) game.setAttribute('open', '');
    (game || judged).scrollIntoView();
    return undefined;
  }
  showView(place.view);
  if (place.view === 'overview') return arrive(isFirst, null);
  const title = byId(`${place.view}-title`);
  const problem = byId(`${place.view}-problem`);
  problem.hidden = true;
  setText(title, placeTitle(place));
  try {
    await fillView(place, title, () => visitNumber === visits);
  } catch (error) {
    if (visitNumber !== visits) return undefined;
    replay.close();
    setText(problem, error.message);
    problem.hidden = false;
  }
  return visitNumber === visits ? arrive(isFirst, title) : undefined;
}

const firstGame = () => (data.chunks.length > 0 ? data.chunks[0].numbers[0][0] : 1);

function placeTitle(place) {
  if (place.view === 'replay') return `Game ${place.number}`;
  return place.names.join(' against ');
}

function playerIndexes(names) {
  return names.map((name) => {
    const index = data.players.findIndex((player) => player.name === name);
    if (index < 0) throw new Error(`There is no player ${name} in these games.`);
    return index;
  });
}

async function fillView(place, title, isCurrent) {
  if (place.view === 'replay') {
    byId('replay-facts').replaceChildren();
    const game = await loadGame(place.number);
    if (!isCurrent()) return;
    setText(title, data.verdict || `Game ${game.number}: ${nameOf(game, 0)} against ${nameOf(game, 1)}`);
    showTrail(game.players.map(playerName), `game ${game.number}`);
    replay.open(game, place.shot);
    return;
  }
  byId(`${place.view}-body`).replaceChildren();
  byId(`${place.view}-facts`).replaceChildren();
  showTrail(place.names, null);
  const indexes = playerIndexes(place.names);
  if (place.view === 'player') {
    showPlayer(indexes[0]);
    return;
  }
  const games = await loadGames(indexes);
  if (!isCurrent()) return;
  byId('games-facts').replaceChildren(gamesFacts(indexes, games));
  showGames(games, indexes);
}

function gamesFacts(indexes, games) {
  const pairings = data.pairings.filter(([a, b]) => indexes.every((index) => index === a || index === b));
  const count = (some) => some.reduce((sum, [, , wins, draws, losses]) => sum + wins + draws + losses, 0);
  const total = count(pairings);
  const notCounted = count(pairings.filter((pairing) => !pairing[5]));
  const odd = [
    notCounted === 0 ? '' : '. ',
    notCounted === 0 ? '' : notCounted === total ? `None of them counts` : `${notCounted} of them do not count`,
    notCounted === 0 ? '' : ': a player is disqualified.',
  ].join('');
  return games.length < total
    ? `The replays of ${games.length} of ${plural(total, 'game')} are in this page${odd || '.'}`
    : plural(games.length, 'game') + odd;
}

export function showView(view) {
  if (document.body.dataset.view === 'overview') overviewScroll = window.scrollY;
  document.body.dataset.view = view;
  for (const name of VIEWS) if (byId(name)) byId(name).hidden = name !== view;
  showTrail([], null);
}

/** Ends a visit: the title, the focus, and where the page is scrolled to. */
function arrive(isFirst, title) {
  document.title = title ? `${title.textContent} · ${data.title}` : data.title;
  if (isFirst) return;
  const target = location.hash.length > 1 ? byId(location.hash.slice(1)) : null;
  if (title) {
    window.scrollTo(0, 0);
    title.focus({ preventScroll: true });
  } else if (target) {
    target.scrollIntoView();
  } else {
    window.scrollTo(0, overviewScroll);
    const heading = /** @type {HTMLElement} */ (document.querySelector('main h1'));
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

/** Shows the way back: the overview, which is the encounter of a match, the encounter or the player, and the game. */
function showTrail(names, last) {
  if (data.kind !== 'report') return;
  const { view } = document.body.dataset;
  const entries = [];
  if (view !== 'overview') entries.push(el('a', { href: '#standings' }, data.title));
  if (names.length === 2 && data.players.length > 2) {
    if (last) entries.push(el('a', { href: gamesAddress(...names) }, names.join(' against ')));
    else entries.push([playerLink(names[0]), ' against ', playerLink(names[1])]);
  } else if (names.length === 2 && !last) {
    entries.push('games');
  } else if (names.length === 1 && view === 'games') {
    entries.push(playerLink(names[0]));
  }
  if (last) entries.push(last);
  byId('trail').replaceChildren(...entries.map((entry) => el('li', {}, entry)));
}

/** Puts the bar above the page: the way back, how far a contest is, and light or dark. */
export function startBar() {
  const trail = el('nav', { 'aria-label': 'Way back' }, el('ol', { id: 'trail' }));
  document.body.prepend(
    el('header', { class: 'topbar' }, trail, el('p', { class: 'live', role: 'status' }), themeButton()),
  );
}
