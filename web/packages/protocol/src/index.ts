export * from "./events.ts";
export * from "./generated.ts";
export * from "./offsets.ts";
