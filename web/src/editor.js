// The editor of solution.py.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/** `onRun()` answers Ctrl/Cmd+Enter, `onChange(text)` follows every edit that a person makes. */
export function openEditor({ parent, text, label, onRun, onChange, lines = true }) {
  const runKey = Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (onRun(), true) }, { key: "Ctrl-Enter", run: () => (onRun(), true) }]));
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        runKey,
        lines ? [lineNumbers(), lintGutter(), highlightActiveLineGutter(), highlightActiveLine()] : [],
        history(),
        drawSelection(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches({ minSelectionLength: 2 }),
        python(),
        syntaxHighlighting(classHighlighter),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } });
    },
    /** Mark lines: `[{line, message}]`, lines counted from 1. */
    mark(marks) {
      const diagnostics = marks
        .filter(({ line }) => line >= 1 && line <= view.state.doc.lines)
        .map(({ line, message }) => {
          const { from, to, text } = view.state.doc.line(line);
          return { from: from + text.length - text.trimStart().length, to, severity: "error", message };
        });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo(line) {
      const { from, to } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      view.dispatch({ selection: { anchor: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
  };
}
