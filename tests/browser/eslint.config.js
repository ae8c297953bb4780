import js from '@eslint/js';
import globals from 'globals';

const rules = {
  eqeqeq: 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'no-implicit-globals': 'off',
  'no-restricted-properties': [
    'error',
    { property: 'innerHTML', message: 'Text of bots must stay text: use textContent.' },
    { property: 'outerHTML', message: 'Text of bots must stay text: use textContent.' },
    { property: 'insertAdjacentHTML', message: 'Text of bots must stay text: use textContent.' },
  ],
  'max-len': ['error', { code: 120, ignoreUrls: true }],
};

export default [
  js.configs.recommended,
  {
    files: ['**/*.mjs', 'eslint.config.js'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules,
  },
  {
    files: ['**/assets/script/*.mjs', 'programs/site/web/*.mjs'],
    languageOptions: { globals: globals.browser },
    rules,
  },
];
