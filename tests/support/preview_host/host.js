// What the workspace does with a preview, and no more.
localStorage.setItem('app', 'secret');
const messages = [];
const refused = [];
let port = null;
document.getElementById('button').onclick = (event) => {
  event.target.textContent = String(Number(event.target.textContent) + 1);
};
window.show = (url, generation) => new Promise((resolve) => {
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
  document.getElementById('place').replaceChildren(frame);
});
window.said = () => messages;
window.hostile = () => refused;
window.ping = (id) => port.postMessage({type: 'ping', id});
