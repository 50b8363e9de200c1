declare module "prismjs/components/prism-core" {
  import Prism = require("prismjs");
  export = Prism;
}
declare module "prismjs/components/prism-*";
