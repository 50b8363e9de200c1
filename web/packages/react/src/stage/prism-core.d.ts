declare module "prismjs/components/prism-core" {
  import Prism = require("prismjs");
  export default Prism;
}
declare module "prismjs/components/prism-*";
