// What the workspace does with a preview, and no more.
localStorage.setItem('app', 'secret');
const messages = [];
const refused = [];
let port = null;
document.getElementById('button').onclick = (event) => {
  event.target.textContent = String(Number(event.target.textContent) + 1);
};
const open = (url, generation, put) => new Promise((resolve) => {
  port = null;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-downloads allow-forms');
  frame.setAttribute('referrerpolicy', 'no-referrer');
  frame.style.cssText = 'width:100%;height:100%';
  window.loads = 0;
  addEventListener('message', (event) => {
    if (event.source !== frame.contentWindow || event.data?.vitrail !== 'hello') return;
    if (port !== null || event.data.generation !== generation) {
      refused.push(event.data);
      return;
    }
    port = event.ports[0];
    port.onmessage = ({data}) => messages.push(data);
  });
  frame.onload = () => { window.loads += 1; resolve(); };
  frame.src = url;
  put(frame);
  // a page that never ends loading is shown all the same
  setTimeout(resolve, 5_000);
});
const place = document.getElementById('place');
window.show = (url, generation) => open(url, generation, (f) => place.replaceChildren(f));
window.showBeside = (url, generation) => open(url, generation, (f) => place.append(f));
window.said = () => messages;
window.hostile = () => refused;
window.ping = (id) => port.postMessage({type: 'ping', id});
