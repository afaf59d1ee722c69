// A problem statement: Markdown in, HTML out. Math becomes MathML, Python is coloured, graphs are inlined;
// nothing that is left needs a script, an inline style or another file.
import MarkdownIt from "markdown-it";
import temml from "temml";
import { pythonLanguage } from "@codemirror/lang-python";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { createHash } from "node:crypto";

export const escape = (text) =>
  String(text).replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);

/** Python source as HTML, with the same classes that the editor uses. */
export function colourPython(source) {
  let html = "";
  highlightCode(
    source,
    pythonLanguage.parser.parse(source),
    classHighlighter,
    (text, classes) => (html += classes ? `<span class="${classes}">${escape(text)}</span>` : escape(text)),
    () => (html += "\n"),
  );
  return html;
}

function renderMath(tex, displayMode) {
  return temml.renderToString(tex, { displayMode, throwOnError: true, annotate: false, wrap: "none" });
}

/** `$…$` and `$$…$$`, with the rules a code host uses: no blank just inside the dollars. */
function mathPlugin(markdown) {
  markdown.inline.ruler.after("escape", "math", (state, silent) => {
    const rest = state.src.slice(state.pos);
    const found = /^\$\$([^$]+)\$\$/.exec(rest) ?? /^\$`([^`$]+)`\$/.exec(rest) ?? /^\$(?!\s)((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)/.exec(rest);
    if (!found) return false;
    if (!silent) {
      const token = state.push("math", "", 0);
      token.content = found[1];
      token.meta = found[0].startsWith("$$");
    }
    state.pos += found[0].length;
    return true;
  });
  markdown.renderer.rules.math = (tokens, i) => renderMath(tokens[i].content, tokens[i].meta);
}

const slugOf = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

function headingPlugin(markdown) {
  markdown.core.ruler.push("headings", (state) => {
    const used = new Map();
    state.tokens.forEach((token, i) => {
      if (token.type !== "heading_open") return;
      const name = slugOf(state.tokens[i + 1].content) || "part";
      const count = used.get(name) ?? 0;
      used.set(name, count + 1);
      token.attrSet("id", count ? `${name}-${count}` : name);
    });
  });
}

function wideContentPlugin(markdown) {
  // A table or a listing may be wider than a phone: it scrolls by itself, and can be reached by keyboard.
  markdown.renderer.rules.table_open = () => '<div class="wide" role="region" tabindex="0" aria-label="table"><table>\n';
  markdown.renderer.rules.table_close = () => "</table></div>\n";
  markdown.renderer.rules.fence = (tokens, i) => {
    const { info, content } = tokens[i];
    const language = info.trim().split(/\s+/)[0];
    if (language === "math") return `<p>${renderMath(content.trim(), true)}</p>\n`;
    const body = /^(python|py)$/.test(language) ? colourPython(content.replace(/\n$/, "")) : escape(content.replace(/\n$/, ""));
    return `<pre class="listing" tabindex="0" role="region" aria-label="${language === "" || language === "text" ? "drawing or text" : "code"}"><code>${body}</code></pre>\n`;
  };
}

const PLAIN_TAGS = /^(?:<\/?(?:details|summary|code|kbd|sub|sup|b|i|em|strong|p|br)\s*\/?>|<details open>|<!--[\s\S]*?-->|[^<])*$/;

/** A statement may fold things away; any other HTML is refused, with its text, when the page is built. */
function plainTagsPlugin(markdown) {
  const pass = (tokens, i) => {
    if (!PLAIN_TAGS.test(tokens[i].content)) throw new Error(`the statement holds HTML that the page does not show: \`${tokens[i].content.trim().slice(0, 60)}\``);
    return tokens[i].content.replace(/<!--[\s\S]*?-->/g, "");
  };
  markdown.renderer.rules.html_block = pass;
  markdown.renderer.rules.html_inline = pass;
}

/** An SVG file as part of the page: no style element, ids of its own, a name for screen readers. */
function inlineSvg(source, alt, prefix) {
  let svg = source.replace(/<\?xml[^>]*\?>|<!DOCTYPE[^>]*>|<!--[\s\S]*?-->/g, "").trim();
  if (/<script|<foreignObject|\son\w+=|(?:href|src)=["'](?!#)/i.test(svg)) {
    throw new Error(`the graph \`${prefix}\` holds a script, an event or a link: take it out`);
  }
  let rules = "";
  svg = svg.replace(/<style[^>]*>([\s\S]*?)<\/style>/g, (_, css) => ((rules += css.replace(/<!\[CDATA\[|\]\]>/g, "")), ""));
  svg = svg
    .replace(/\sid="([^"]+)"/g, ` id="${prefix}-$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${prefix}-$1)`)
    .replace(/\shref="#([^"]+)"/g, ` href="#${prefix}-$1"`)
    .replace(/(aria-labelledby|aria-describedby)="([^"]+)"/g, (_, name, ids) => `${name}="${ids.split(/\s+/).map((id) => `${prefix}-${id}`).join(" ")}"`);
  rules = rules.replace(/url\(#([^)]+)\)/g, `url(#${prefix}-$1)`);
  const named = /<title|aria-label/.test(svg.slice(0, 600));
  svg = svg.replace(/<svg\b/, `<svg class="graph ${prefix}"${/role=/.test(svg.slice(0, 400)) ? "" : ' role="img"'}${named ? "" : ` aria-label="${escape(alt)}"`}`);
  return { svg, css: rules.trim() ? `.${prefix} { ${rules} }\n` : "" };
}

/** The statement's worked example: the first listing that asks for gradients and defines nothing. */
export function exampleOf(source) {
  const listings = [...source.matchAll(/^```(?:python|py)\n([\s\S]*?)^```/gm)].map((found) => found[1]);
  return listings.find((text) => /\.backward\(\)/.test(text) && !/^\s*(class|def|import|from)\b/m.test(text))?.trim() ?? "";
}

/**
 * The statement of one exercise.
 *
 * `files` maps the names of the exercise's other files to their text (its graphs), `slugs` are the exercises
 * of this page. Gives `{html, css}`; throws an Error that names what cannot be shown.
 */
export function renderStatement(source, { slug, files = {}, slugs = [] }) {
  const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false });
  markdown.use(mathPlugin).use(headingPlugin).use(wideContentPlugin).use(plainTagsPlugin);
  let css = "";
  markdown.renderer.rules.image = (tokens, i) => {
    const name = tokens[i].attrGet("src").replace(/^\.\//, "");
    if (!Object.hasOwn(files, name)) throw new Error(`\`exercises/${slug}/README.md\` shows \`${name}\`, which is not there`);
    const drawn = inlineSvg(files[name], tokens[i].content, `fig-${slugOf(slug)}-${slugOf(name)}`);
    css += drawn.css;
    return `<span class="figure" role="group" tabindex="0" aria-label="drawing">${drawn.svg}</span>`;
  };
  const plainLink = markdown.renderer.rules.link_open ?? ((tokens, i, options, env, self) => self.renderToken(tokens, i, options));
  markdown.renderer.rules.link_open = (tokens, i, options, env, self) => {
    const token = tokens[i];
    const href = token.attrGet("href");
    const other = /^\.\.\/([a-z0-9_]+)\/?(?:README\.md)?(#.*)?$/.exec(href);
    if (other) {
      token.attrSet("href", slugs.includes(other[1]) ? `${other[1]}.html${other[2] ?? ""}` : "index.html");
    } else if (/^https:/.test(href)) {
      token.attrSet("rel", "noreferrer");
    } else if (!href.startsWith("#")) {
      // A file of the repository (a grader, a document): there is none of it here, the words stay.
      token.attrSet("href", "index.html");
    }
    return plainLink(tokens, i, options, env, self);
  };
  let html = markdown.render(source.replace(/^\s*#\s[^\n]*\n/, ""));
  const styles = new Map();
  html = html.replace(/<([a-zA-Z][\w-]*)((?:\s[^<>]*?)?)\sstyle="([^"]*)"/g, (_, tag, before, style) => {
    const name = createHash("sha256").update(style).digest("hex").slice(0, 8);
    styles.set(name, style);
    return `<${tag}${before} data-s="${name}"`;
  });
  if (/\sstyle="|<script|\son\w+="/.test(html)) throw new Error(`\`exercises/${slug}/README.md\` came out with an inline style or script`);
  for (const [name, style] of styles) css += `[data-s="${name}"]{${style.replace(/&quot;/g, '"')}}\n`;
  return { html, css };
}
