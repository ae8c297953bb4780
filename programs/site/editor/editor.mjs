// The editor of the site where npm is: CodeMirror, with what ../web/editor.mjs exports.
// @ts-check

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { python } from '@codemirror/lang-python';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const hasPython = true;

const LANGUAGES = {
  javascript: [javascript(), indentUnit.of('  ')],
  python: [python(), indentUnit.of('    ')],
};

const STYLE = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--s2)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--struck)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.definition(tags.variableName), color: 'var(--s3)' },
  { tag: tags.function(tags.definition(tags.variableName)), color: 'var(--s3)' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', background: 'var(--card)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--card)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--row)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { background: 'var(--sea)' },
  '& .cm-selectionLayer .cm-selectionBackground, &.cm-focused .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--grid) !important',
  },
});

export function edit(parent, onChange) {
  // In a shadow its styles are adopted sheets, which the page's policy allows.
  const root = parent.attachShadow({ mode: 'open' });
  const stateOf = (text, language, label) =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        indentOnInput(),
        keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap]),
        syntaxHighlighting(STYLE),
        LOOK,
        LANGUAGES[language],
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
      ],
    });
  const view = new EditorView({ root, parent: root });
  return {
    show: (text, language, label) => view.setState(stateOf(text, language, label)),
    goTo: (number) => {
      const { from } = view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
  };
}
