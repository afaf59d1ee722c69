// A learner's graph as a picture: one card a value, with its data and its grad, from the inputs to the result.
import { Graph, layout } from "@dagrejs/dagre";

const NS = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const text = (x, y, words, className, anchor = "start") =>
  element("text", { x, y, class: className, "text-anchor": anchor }, words);

const widthOf = (words, unit = 7.6) => words.length * unit;

const CARD = 68;
const NOTE = 17; // the line under a card that says what was expected

function sizeOf(node, wrong) {
  const widest = Math.max(widthOf(node.name, 8.2), widthOf(`data  ${node.data}`), widthOf(`grad  ${node.grad}`), 62);
  const note = wrong?.name === node.name ? NOTE : 0;
  return { width: Math.min(230, Math.max(widest + 26, note && widthOf(`expected ${wrong.expected}`, 6.4))), height: CARD + 2 * note };
}

function place(drawing, wrong) {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 16, ranksep: 26, edgesep: 10, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const operation = (node) => `${node.id}:op`;
  for (const node of drawing.nodes) {
    graph.setNode(node.id, sizeOf(node, wrong));
    if (!node.from.length) continue;
    graph.setNode(operation(node), { width: Math.max(26, widthOf(node.op || "·") + 12), height: 26 });
    graph.setEdge(operation(node), node.id, { weight: 3 }, "out");
    node.from.forEach((source, i) => graph.setEdge(source, operation(node), {}, `in${i}`));
  }
  layout(graph);
  return inOrder(drawing, graph);
}

/** What was made first stands above, where the drawing can as well be turned over. */
function inOrder(drawing, graph) {
  const boxes = drawing.nodes.map((node) => graph.node(node.id));
  let above = 0;
  boxes.forEach((one, i) => boxes.slice(i + 1).forEach((two) => (above += Math.abs(one.x - two.x) < 60 ? Math.sign(two.y - one.y) : 0)));
  if (above >= 0) return graph;
  const { height } = graph.graph();
  for (const name of graph.nodes()) graph.node(name).y = height - graph.node(name).y;
  for (const edge of graph.edges()) for (const point of graph.edge(edge).points) point.y = height - point.y;
  return graph;
}

function curve(points) {
  const [first, ...rest] = points;
  if (rest.length < 2) return `M${first.x},${first.y}L${rest[0].x},${rest[0].y}`;
  let path = `M${first.x},${first.y}`;
  for (let i = 0; i < rest.length - 1; i += 1) {
    const end = i === rest.length - 2 ? rest[i + 1] : { x: (rest[i].x + rest[i + 1].x) / 2, y: (rest[i].y + rest[i + 1].y) / 2 };
    path += `Q${rest[i].x},${rest[i].y} ${end.x},${end.y}`;
  }
  return path;
}

function card(node, box, wrong) {
  const left = box.x - box.width / 2;
  const top = box.y - CARD / 2;
  const group = element("g", { class: `card${wrong ? " wrong" : ""}` });
  group.append(
    element("rect", { x: left, y: top, width: box.width, height: CARD, rx: 7 }),
    text(box.x, top + 19, node.name, "card-name", "middle"),
    element("path", { d: `M${left},${top + 27}h${box.width}`, class: "rule" }),
    text(left + 10, top + 43, "data", "card-label"),
    text(left + box.width - 10, top + 43, node.data, "card-data", "end"),
    text(left + 10, top + 59, "grad", "card-label"),
    text(left + box.width - 10, top + 59, node.grad, "card-grad", "end"),
  );
  if (wrong) group.append(text(box.x, top + CARD + NOTE - 3, `expected ${wrong.expected}`, "expected", "middle"));
  return group;
}

/** The picture of a drawing of the driver's; `wrong` is the value to point at: `{name, expected}`. */
export function drawGraph(drawing, { label, wrong = null }) {
  const graph = place(drawing, wrong);
  const { width, height } = graph.graph();
  const svg = element("svg", {
    viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
    width: Math.ceil(width),
    height: Math.ceil(height),
    role: "img",
    "aria-label": label,
    class: "drawn",
  });
  for (const edge of graph.edges()) {
    const into = edge.w.endsWith?.(":op");
    svg.append(element("path", { d: curve(graph.edge(edge).points), class: into ? "edge" : "edge out" }));
  }
  for (const node of drawing.nodes) {
    if (node.from.length) {
      const box = graph.node(`${node.id}:op`);
      svg.append(
        element("rect", { x: box.x - box.width / 2, y: box.y - 13, width: box.width, height: 26, rx: 13, class: "op" }),
        text(box.x, box.y + 4.5, node.op || "·", "op-name", "middle"),
      );
    }
    svg.append(card(node, graph.node(node.id), node.name === wrong?.name ? wrong : null));
  }
  return svg;
}
