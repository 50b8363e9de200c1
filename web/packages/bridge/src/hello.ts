/**
 * The first statement of every preview document: a channel, one end of which goes
 * to the parent before any author script runs. A host cannot hand a port in, so
 * whoever speaks first is the bridge, and whoever speaks later is not.
 */
const channel = new MessageChannel();
const element = document.currentScript;
const generation = element?.getAttribute("data-vitrail-bridge") ?? "";
const isHosted = generation !== "" && window.parent !== window;
if (isHosted) {
  window.parent.postMessage({ vitrail: "hello", version: 1, generation }, "*", [
    channel.port2,
  ]);
}
// the tree the page's scripts and styles see is the tree of the source
element?.remove();

/**
 * The frame's end; null in a document that no host listens to. It never leaves
 * this bundle, and its methods are bound before anybody can replace them.
 */
export const port: MessagePort | null = isHosted ? channel.port1 : null;
