// Prints one module and all it imports as a classic script that sets a global.
// Usage: node scripts/bundle.mjs ENTRY NAME; for tests that run a package in a real page.
import { rolldown } from "rolldown";

const [entry, name] = process.argv.slice(2);
if (entry === undefined || name === undefined) {
  console.error("usage: bundle.mjs ENTRY NAME");
  process.exit(2);
}
const bundle = await rolldown({ input: entry, platform: "browser" });
const { output } = await bundle.generate({ format: "iife", name });
process.stdout.write(output[0].code);
