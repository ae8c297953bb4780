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
  let current = 'auto';
  const useChosen = () => {
    const chosen = recall('localStorage', 'referee-theme');
    current = names.includes(chosen) ? chosen : 'auto';
    use(current);
  };
  useChosen();
  // A page around this one, or within it, is to look the same.
  window.addEventListener('storage', ({ key }) => key === 'referee-theme' && useChosen());
  button.addEventListener('click', () => {
    current = names[(names.indexOf(current) + 1) % names.length];
    remember('localStorage', 'referee-theme', current === 'auto' ? null : current);
    use(current);
  });
  return button;
}
