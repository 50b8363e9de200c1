import Prism from "prismjs/components/prism-core";

Reflect.set(globalThis, "Prism", Prism);
