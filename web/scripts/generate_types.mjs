// Reads the protocol's JSON Schema on standard input, prints TypeScript types.
// Run by scripts/generate_types.py, which owns the file they are written to.
import { compile } from "json-schema-to-typescript";

const BANNER = `// Generated from the protocol's JSON Schema (vitrail schema). Change the Python types,
// then run scripts/generate_types.py.`;

/** 2020-12 tuples as the drafts before it wrote them, which the compiler reads. */
function withOldTuples(node) {
  if (Array.isArray(node)) return node.map(withOldTuples);
  if (node === null || typeof node !== "object") return node;
  const { prefixItems, items, ...rest } = node;
  const old = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, withOldTuples(value)]),
  );
  if (prefixItems !== undefined) {
    return { ...old, items: prefixItems.map(withOldTuples), additionalItems: false };
  }
  return items === undefined ? old : { ...old, items: withOldTuples(items) };
}

/** What comes over the wire is never changed in place: say so in every type. */
function asReadonly(source) {
  return source
    .split("\n")
    .map((line) =>
      /^\s*(\/?\*|\/\/)/.test(line)
        ? line
        : line
            .replace(/^(\s+)(\w+\??|"[^"]+"\??|\[k: string\]): /, "$1readonly $2: ")
            .replace(/(\w+|\([^()]*\))\[\]/g, "readonly $1[]")
            .replace(/(?<=: |\| )\[(?!k: )([^[\]]*)\]/g, "readonly [$1]"),
    )
    .join("\n");
}

/** The list of known event types, for the one check that a client makes at run time. */
function eventTypes(schema) {
  const types = Object.keys(schema.$defs.Event.discriminator.mapping).sort();
  const lines = types.map((type) => `  ${JSON.stringify(type)},`).join("\n");
  return `/** Every \`type\` of the union \`Event\`. */\nexport const EVENT_TYPES = [\n${lines}\n] as const;\n`;
}

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const schema = JSON.parse(Buffer.concat(chunks).toString("utf8"));
const source = await compile(withOldTuples(schema), "VitrailProtocol", {
  additionalProperties: false,
  bannerComment: BANNER,
  unreachableDefinitions: true,
  unknownAny: true,
  style: { printWidth: 90 },
});
const body = asReadonly(source)
  // which definition a type comes from is its name
  .replace(
    / \*\n \* This interface was referenced by `VitrailProtocol`'s[\s\S]*?"\w+"\.\n/g,
    "",
  )
  .replace(
    /\/\*\*\n \* Events, records, HTTP bodies, manifests and recordings\.\n \*\/\n/,
    "",
  );
if (/(?<!readonly )\b\w+\[\]/.test(body.replace(/^\s*\*.*$/gm, ""))) {
  throw new Error("an array type was left writable: mend asReadonly");
}
process.stdout.write(`${body}\n${eventTypes(schema)}`);
