// Light or dark: what the system says, or the reader.
// @ts-check

import { el, recall, remember } from './dom.mjs';

const SIGNS = { auto: '◐', light: '○', dark: '●' };

/** Makes the page light or dark as was chosen before, and returns the button that changes it. */
export function themeButton() {
  const button = el('button', { type: 'button', class: 'theme' });
  const names = Object.keys(SIGNS);
  const use = (name) => {
    if (name === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.replaceChildren(el('span', { class: 'sr' }, 'Colours: '), `${SIGNS[name]} ${name}`);
  };
  const chosen = recall('localStorage', 'referee-theme');
  let current = names.includes(chosen) ? chosen : 'auto';
  use(current);
  button.addEventListener('click', () => {
    current = names[(names.indexOf(current) + 1) % names.length];
    remember('localStorage', 'referee-theme', current === 'auto' ? null : current);
    use(current);
  });
  return button;
}
