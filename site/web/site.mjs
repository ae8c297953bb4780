// What all pages of the site have: light or dark.
// @ts-check

import { el } from './script/dom.mjs';
import { themeButton } from './script/theme.mjs';

const home = document.body.dataset.home === '' ? el('a', { href: 'index.html' }, 'Battleship') : null;
document.body.prepend(el('header', { class: 'topbar' }, el('nav', { 'aria-label': 'Way back' }, home), themeButton()));
