// Elements of the page, and what the browser remembers for it.
// @ts-check

const SVG = 'http://www.w3.org/2000/svg';

export const byId = (id) => document.getElementById(id);
export const inputById = (id) => /** @type {HTMLInputElement} */ (byId(id));
export const selectById = (id) => /** @type {HTMLSelectElement} */ (byId(id));
export const dialogById = (id) => /** @type {HTMLDialogElement} */ (byId(id));

function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, String(value));
  }
}

/** Returns an element. Functions among its attributes listen to events; children are elements or text. */
export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  setAttributes(node, attributes);
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

export function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  setAttributes(node, attributes);
  node.append(...children.flat());
  return node;
}

/** Sets the text of an element only if it changes, so that screen readers do not repeat it. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Keeps a text; storage may be refused to a page in a file.
 * @param {'localStorage' | 'sessionStorage'} storage
 * @param {string} key
 * @param {string | null} value
 */
export function remember(storage, key, value) {
  try {
    if (value === null) window[storage].removeItem(key);
    else window[storage].setItem(key, value);
  } catch {
    // The page works without it.
  }
}

/**
 * Returns a text that was kept.
 * @param {'localStorage' | 'sessionStorage'} storage
 * @param {string} key
 */
export function recall(storage, key) {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Runs a function at most once in a while, and then with its last arguments: browsers limit changes of the address. */
export function throttle(milliseconds, run) {
  let timer = null;
  return () => {
    if (timer === null) {
      timer = setTimeout(() => {
        timer = null;
        run();
      }, milliseconds);
    }
  };
}
