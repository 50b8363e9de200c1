/**
 * What no linter tells of the packages, from their syntax trees:
 *
 * - a template literal has at most 20 lines: a program inside a string is no program;
 * - modules do not import each other in a circle, packages neither;
 * - a package imports only what its package.json names.
 *
 * Usage: node scripts/check_structure.mjs [FOLDER]; prints a line for each breach, exits 1 for any.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { parseSync } from "rolldown/utils";

const MAX_TEMPLATE_LINES = 20;
const root = resolve(process.argv[2] ?? ".");
const breaches = [];

function* sourceFiles(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (["node_modules", "dist"].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

function* nodesOf(value) {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
  } else if (value && typeof value === "object") {
    if (typeof value.type === "string") yield value;
    for (const item of Object.values(value)) {
      if (item && typeof item === "object") yield* nodesOf(item);
    }
  }
}

/** Packages of the workspace: name, folder, what they export and what they depend on. */
function readPackages() {
  const found = [];
  const parent = join(root, "packages");
  const folders = existsSync(parent)
    ? readdirSync(parent).map((n) => join(parent, n))
    : [];
  for (const folder of [...folders, join(root, "app")]) {
    const file = join(folder, "package.json");
    if (!existsSync(file)) continue;
    const about = JSON.parse(readFileSync(file, "utf8"));
    found.push({
      name: about.name,
      folder,
      exports: about.exports ?? {},
      dependencies: { ...about.dependencies, ...about.peerDependencies },
    });
  }
  return found;
}

const packages = readPackages();
const rootFile = join(root, "package.json");
const tools = existsSync(rootFile)
  ? (JSON.parse(readFileSync(rootFile, "utf8")).devDependencies ?? {})
  : {};

function packageNamed(specifier) {
  return packages.find((p) => specifier === p.name || specifier.startsWith(`${p.name}/`));
}

function resolveFile(base) {
  const bare = base.replace(/\.jsx?$/, "");
  const tries = [base, `${bare}.ts`, `${bare}.tsx`, join(base, "index.ts")];
  return tries.find(
    (path) => /\.tsx?$/.test(path) && existsSync(path) && statSync(path).isFile(),
  );
}

/** The file of ours that an import leads to, or undefined where it is not ours. */
function target(specifier, from) {
  if (specifier.startsWith(".")) return resolveFile(resolve(dirname(from), specifier));
  const ours = packageNamed(specifier);
  const exported = ours?.exports[`.${specifier.slice(ours.name.length)}`];
  return typeof exported === "string"
    ? resolveFile(resolve(ours.folder, exported))
    : undefined;
}

function isTypeOnly(node) {
  if (node.importKind === "type" || node.exportKind === "type") return true;
  const names = node.specifiers ?? [];
  return (
    names.length > 0 &&
    names.every((name) => name.importKind === "type" || name.exportKind === "type")
  );
}

function checkDependency(specifier, path, line) {
  if (specifier.startsWith(".") || specifier.startsWith("node:")) return;
  if (builtinModules.includes(specifier)) return;
  const owner = packages.find((p) => path.startsWith(`${p.folder}/`));
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  if (!owner || owner.name === name) return;
  const isWorkshop =
    !path.startsWith(`${owner.folder}/src/`) || /\.test\.tsx?$/.test(path);
  if (name in owner.dependencies || (isWorkshop && name in tools)) return;
  breach(path, line, `imports ${name}, which ${owner.name} does not depend on`);
}

function breach(path, line, message) {
  breaches.push(`${relative(root, path)}:${line}: ${message}`);
}

function checkTemplate(node, text, path) {
  const lines = text.slice(node.start, node.end).split("\n").length;
  if (lines <= MAX_TEMPLATE_LINES) return;
  const line = text.slice(0, node.start).split("\n").length;
  breach(
    path,
    line,
    `a template literal has at most ${MAX_TEMPLATE_LINES} lines, this has ${lines}`,
  );
}

/** Check one file; return the files of ours that it needs when it runs. */
function readModule(path) {
  const text = readFileSync(path, "utf8");
  const parsed = parseSync(path, text);
  for (const error of parsed.errors) breach(path, 1, `does not parse: ${error.message}`);
  const needs = new Set();
  for (const node of nodesOf(parsed.program)) {
    if (node.type === "TemplateLiteral") checkTemplate(node, text, path);
    const specifier =
      /^(Import|ExportNamed|ExportAll)/.test(node.type) && node.source?.value;
    if (typeof specifier !== "string") continue;
    if (isTypeOnly(node)) continue; // gone before anything runs
    checkDependency(specifier, path, text.slice(0, node.start).split("\n").length);
    const file = target(specifier, path);
    if (file && file !== path) needs.add(file);
  }
  return needs;
}

/** Name each circle once, from the first of its members that the walk met. */
function checkCircles(graph, describe) {
  const state = new Map();
  const trail = [];
  const visit = (name) => {
    state.set(name, "open");
    trail.push(name);
    for (const next of graph.get(name) ?? []) {
      if (state.get(next) === "open") {
        describe([...trail.slice(trail.indexOf(next)), next]);
      } else if (!state.has(next)) {
        visit(next);
      }
    }
    trail.pop();
    state.set(name, "done");
  };
  for (const name of graph.keys()) if (!state.has(name)) visit(name);
}

const modules = new Map();
for (const folder of ["packages", "app"]) {
  for (const path of sourceFiles(join(root, folder))) modules.set(path, readModule(path));
}
checkCircles(modules, (circle) => {
  const names = circle.map((path) => relative(root, path));
  breach(circle[0], 1, `modules import each other in a circle: ${names.join(" → ")}`);
});
const byName = new Map(
  packages.map((p) => [
    p.name,
    Object.keys(p.dependencies).filter((n) => packageNamed(n)),
  ]),
);
checkCircles(byName, (circle) => {
  breach(rootFile, 1, `packages depend on each other in a circle: ${circle.join(" → ")}`);
});

for (const line of breaches.sort()) console.log(line);
process.exitCode = breaches.length > 0 ? 1 : 0;
