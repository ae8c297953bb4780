// A plain editor, for a site that is made without npm; with it the bundle of ../editor is in this place.
//
// Exports:
//   hasPython              whether Pyodide is part of the site
//   edit(parent, onChange) makes an editor in an element; onChange(text) is called after each change
//     .show(text, language, label), .goTo(line) from 1
// @ts-check

import { el } from './script/dom.mjs';

export const hasPython = false;

export function edit(parent, onChange) {
  const area = /** @type {HTMLTextAreaElement} */ (
    el('textarea', { spellcheck: 'false', autocapitalize: 'off', input: () => onChange(area.value) })
  );
  parent.append(area);
  return {
    show: (text, _language, label) => {
      area.value = text;
      area.setAttribute('aria-label', label);
    },
    goTo: (number) => {
      const start =
        area.value
          .split('\n')
          .slice(0, number - 1)
          .join('\n').length + (number > 1 ? 1 : 0);
      area.setSelectionRange(start, start);
      area.focus();
    },
  };
}
