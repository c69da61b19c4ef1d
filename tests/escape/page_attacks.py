"""What a hostile page tries: each attack asks a server on this computer for a path with the attack's name."""

HEAD = "<!doctype html><meta charset=utf-8><title>t</title><body><p>page</p>"

REQUESTS = {
    "fetch": "fetch(at('fetch'), { mode: 'no-cors' })",
    "fetch_by_name": "fetch(at('fetch_by_name').replace('127.0.0.1', 'localhost'), { mode: 'no-cors' })",
    "xhr": "const x = new XMLHttpRequest(); x.open('GET', at('xhr')); x.send()",
    "websocket": "new WebSocket(at('websocket').replace('http', 'ws'))",
    "event_source": "new EventSource(at('event_source'))",
    "beacon": "navigator.sendBeacon(at('beacon'), 'x')",
    "keepalive": "fetch(at('keepalive'), { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' })",
    "image": "new Image().src = at('image')",
    "image_set": "const i = new Image(); i.srcset = at('image_set') + ' 1x'; document.body.append(i)",
    "stylesheet": "add('link', { rel: 'stylesheet', href: at('stylesheet') })",
    "background": "document.body.style.backgroundImage = `url(${at('background')})`",
    "font": "const f = new FontFace('f', `url(${at('font')})`); f.load()",
    "script": "add('script', { src: at('script') })",
    "dynamic_import": "import(at('dynamic_import'))",
    "video": "add('video', { src: at('video'), preload: 'auto' })",
    "audio": "new Audio(at('audio')).load()",
    "track": "const v = add('video', {}); const t = document.createElement('track'); t.src = at('track'); "
    "t.default = true; t.kind = 'subtitles'; v.crossOrigin = 'anonymous'; v.append(t); t.track.mode = 'showing'",
    "svg_image": "document.body.insertAdjacentHTML('beforeend', `<svg><image href='${at('svg_image')}'/></svg>`)",
    "object": "add('object', { data: at('object') })",
    "embed": "add('embed', { src: at('embed') })",
    "prefetch": "add('link', { rel: 'prefetch', href: at('prefetch') })",
    "preload": "add('link', { rel: 'preload', as: 'image', href: at('preload') })",
    "module_preload": "add('link', { rel: 'modulepreload', href: at('module_preload') })",
    "iframe": "add('iframe', { src: at('iframe') })",
    "iframe_markup": "add('iframe', { srcdoc: `<img src='${at('iframe_markup')}'>` })",
    "iframe_other_realm": "add('iframe', {}).contentWindow.fetch(at('iframe_other_realm'), { mode: 'no-cors' })",
    "iframe_data": "add('iframe', { src: `data:text/html,<img src='${at('iframe_data')}'>` })",
    "form_into_frame": "add('iframe', { name: 'there' }); const g = add('form', { action: at('form_into_frame'), "
    "method: 'post', target: 'there' }); g.submit()",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch('${at('worker')}', { mode: 'no-cors' })`])))",
    "worker_script": "new Worker(URL.createObjectURL(new Blob([`importScripts('${at('worker_script')}')`])))",
    "datagram": "const p = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${PORT}` }] }); "
    "p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o))",
}

NAVIGATIONS = {
    "location": "location.href = at('location')",
    "location_replace": "location.replace(at('location_replace'))",
    "meta_refresh": "add('meta', { httpEquiv: 'refresh', content: `0;url=${at('meta_refresh')}` })",
    "form": "const f = add('form', { action: at('form'), method: 'post' }); f.submit()",
    "link": "const a = add('a', { href: at('link') }); a.click()",
}

PRELUDE = """
const PORT = __PORT__;
const at = (name) => `http://127.0.0.1:${PORT}/${name}`;
const add = (name, given) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) element[key] = value;
  document.body.append(element);
  return element;
};
"""

PROBES = {
    "eval": "return eval('1 + 1')",
    "function_of_text": "return Function('return 1')()",
    "inline_handler": "globalThis.ran = false; document.body.insertAdjacentHTML('beforeend', "
    "'<svg onload=\"globalThis.ran = true\"></svg>'); await wait(150); if (!globalThis.ran) throw Error('not run')",
    "inline_script": "globalThis.run = false; const s = document.createElement('script'); "
    "s.textContent = 'globalThis.run = true'; document.body.append(s); await wait(50); "
    "if (!globalThis.run) throw Error('not run')",
    "window": "if (!window.open('about:blank')) throw Error('no window')",
    "service_worker": "await navigator.serviceWorker.register('page.js')",
    "shared_worker": "const w = new SharedWorker('worker.js'); await heard(w.port)",
    "own_worker": "const w = new Worker('worker.js'); await heard(w)",
    "file": "return await (await fetch('file:///etc/hostname')).text()",
    "file_image": "await loaded(add('img', { src: 'file:///usr/share/pixmaps/debian-logo.png' }))",
    "file_module": "await import('file:///etc/hostname')",
    "file_frame": "const f = add('iframe', { src: 'file:///etc/hostname' }); await wait(200); "
    "if (!f.contentDocument || f.contentDocument.body.innerText === '') throw Error('empty')",
    "other_gem": "return await (await fetch('notochord-gem://other-gem.gem/pages/page.html')).text()",
    "other_gem_image": "await loaded(add('img', { src: 'notochord-gem://other-gem.gem/pages/secret.svg' }))",
    "other_gem_module": "await import('notochord-gem://other-gem.gem/pages/page.js')",
    "file_that_is_no_page": "await import('/tools/tool.js')",
    "way_up": "await import('/pages/..%2ftools/tool.js')",
    "camera": "await navigator.mediaDevices.getUserMedia({ video: true })",
    "screen": "await navigator.mediaDevices.getDisplayMedia()",
    "place": "await new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no))",
    "clipboard": "return await navigator.clipboard.readText()",
    "clipboard_writing": "await navigator.clipboard.writeText('x')",
    "notification": "if (await Notification.requestPermission() !== 'granted') throw Error('denied')",
    "own_folder": "await showDirectoryPicker()",
    "full_screen": "await document.documentElement.requestFullscreen()",
    "agreement": "if (!confirm('yes?')) throw Error('no')",
    "channel_of_the_program": "return qt.webChannelTransport.send('{}')",
    "drawing_device": "if (!document.createElement('canvas').getContext('webgl')) throw Error('none')",
}

_PROBING = """
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const soon = (promise) => Promise.race([promise, wait(1500).then(() => { throw Error('nothing came'); })]);
const loaded = (element) => soon(new Promise((yes, no) => {
  element.onload = yes;
  element.onerror = () => no(Error('no'));
}));
const heard = (port) => soon(new Promise((yes, no) => {
  port.onmessage = yes;
  port.onerror = () => no(Error('no'));
  port.start?.();
}));
const found = {};
"""


def requests_page(milliseconds: int) -> dict[str, str]:
    """Return a page that tries all of REQUESTS and reports when they had so long."""
    tries = "\n".join(f"try {{ (() => {{ {body} }})() }} catch {{}}" for body in REQUESTS.values())
    script = f"{PRELUDE}\n{tries}\nsetTimeout(() => notochord.call('tool.report', {{}}), {milliseconds});"
    return {"pages/page.html": f"{HEAD}<script src=page.js></script>", "pages/page.js": script}


def navigation_pages() -> dict[str, str]:
    """Return a page for each of NAVIGATIONS: `pages/<name>.html`."""
    pages: dict[str, str] = {}
    for name, body in NAVIGATIONS.items():
        pages[f"pages/{name}.html"] = f"{HEAD}<script src={name}.js></script>"
        pages[f"pages/{name}.js"] = f"{PRELUDE}\n{body};"
    return pages


def probes_page() -> dict[str, str]:
    """Return a page that reports for each of PROBES whether it came through."""
    tries = "\n".join(
        f"tries.push(soon((async () => {{ {body} }})()).then(() => 'reached', (e) => 'blocked: ' + e)"
        f".then((what) => {{ found.{name} = what; }}));"
        for name, body in PROBES.items()
    )
    end = "Promise.all(tries).then(() => notochord.call('tool.report', found));"
    script = f"{PRELUDE}{_PROBING}const tries = [];\n{tries}\n{end}"
    return {
        "pages/page.html": f"{HEAD}<script src=page.js></script>",
        "pages/page.js": script,
        "pages/worker.js": "(globalThis.onconnect = (e) => e.ports[0].postMessage(1)); globalThis.postMessage?.(1);",
    }
