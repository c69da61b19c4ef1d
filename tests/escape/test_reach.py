"""A tool reaches its own two folders and nothing else; without the barriers the same code reaches it all."""

import asyncio
import sys

import pytest

from escape.arena import Attack, Barriers, Result, run_all

LIBRARY = "const { symbols: c } = Deno.dlopen('libc.so.6', {"

READING = {
    "file_outside": Attack("return await Deno.readTextFile(input.secret)", wall=True),
    "file_of_another_gem": Attack("return await Deno.readTextFile(input.other + '/tool.ts')", wall=True),
    "module_of_another_gem": Attack(
        "return (await import('file://' + input.other + '/tool.ts')).default", wall=True, caught=False
    ),
    "way_up": Attack("return await Deno.readTextFile(input.gem + '/../../secret.txt')", wall=True),
    "file_through_node": Attack("return (await import('node:fs')).readFileSync(input.secret, 'utf8')", wall=True),
    "file_through_fetch": Attack("return await (await fetch('file://' + input.secret)).text()", wall=True),
    "module_by_a_step_up": Attack(
        "return (await import('file://' + input.gem + '/../../other/code/tool.ts')).default", wall=True, caught=False
    ),
    "module_in_a_data_address": Attack(
        "const code = `import x from 'file://${input.other}/tool.ts'; export default x`; "
        "return (await import('data:text/javascript,' + encodeURIComponent(code))).default",
        wall=True,
        caught=False,
    ),
    "module_in_a_blob": Attack(
        "const code = `export default Deno.readTextFileSync('${input.secret}')`; "
        "const blob = new Blob([code], { type: 'text/javascript' }); "
        "return (await import(URL.createObjectURL(blob))).default",
        wall=True,
    ),
    "database_outside": Attack(
        "const { DatabaseSync } = await import('node:sqlite'); "
        "new DatabaseSync(input.secret, { readOnly: true }); return 1",
        wall=True,
    ),
    "watch": Attack("const w = Deno.watchFs(input.secret); w.close(); return 1"),
    "real_path": Attack("return await Deno.realPath(input.gem + '/../../secret.txt')"),
    "link_of_a_process": Attack("return await Deno.readLink('/proc/self/exe')"),
    "descriptors": Attack("return [...Deno.readDirSync('/proc/self/fd')].length"),
    "device": Attack("return (await Deno.open('/dev/zero')).readSync(new Uint8Array(4))", wall=True),
    "working_folder": Attack("Deno.chdir('/'); return Deno.cwd()"),
    "file_as_text_module": Attack(
        "const file = 'file://' + input.secret; return (await import(file, { with: { type: 'text' } })).default",
        wall=True,
        caught=False,
    ),
    "file_as_json_module": Attack(
        "const file = 'file://' + input.json; return (await import(file, { with: { type: 'json' } })).default",
        wall=True,
        caught=False,
    ),
    "file_through_require": Attack(
        "const { createRequire } = await import('node:module'); return createRequire(input.gem + '/x.js')(input.json)",
        wall=True,
    ),
    "file_through_sqlite": Attack(
        "const { DatabaseSync } = await import('node:sqlite'); "
        "return new DatabaseSync(input.gem + '/../x.db').exec('create table t(a)')",
        wall=True,
    ),
    "whether_a_file_is_there": Attack("return (await Deno.stat(input.secret)).size"),
    "list_of_the_system": Attack("return [...Deno.readDirSync('/etc')].length", wall=True),
    "own_environment_in_proc": Attack("return (await Deno.readFile('/proc/self/environ')).length"),
    "own_memory": Attack("return (await Deno.open('/proc/self/mem')).readSync(new Uint8Array(0))"),
    "parent_in_proc": Attack("return await Deno.readTextFile(`/proc/${Deno.ppid}/maps`)", wall=True),
}
WRITING = {
    "own_folder": Attack("await Deno.writeTextFile(input.gem + '/new', 'x'); return 1", wall=True),
    "own_resources": Attack("await Deno.writeTextFile(input.resources + '/new', 'x'); return 1", wall=True),
    "outside": Attack("await Deno.writeTextFile(input.secret + '.new', 'x'); return 1", wall=True),
    "temporary_file": Attack("return await Deno.makeTempFile()", wall=True),
    "through_node": Attack("(await import('node:fs')).writeFileSync(input.gem + '/n', 'x'); return 1", wall=True),
    "own_code": Attack("await Deno.remove(input.gem + '/write_own_code.ts'); return 1", wall=True),
    "link": Attack("await Deno.symlink(input.secret, input.gem + '/link'); return 1", wall=True),
    "second_name": Attack("await Deno.link(input.secret, input.gem + '/hard'); return 1", wall=True),
    "new_name": Attack("await Deno.rename(input.secret, input.gem + '/taken'); return 1", wall=True),
    "folder": Attack("await Deno.mkdir(input.gem + '/made'); return 1", wall=True),
    "copy": Attack("await Deno.copyFile(input.json, input.gem + '/copied'); return 1", wall=True),
    "length": Attack("await Deno.truncate(input.json, 14); return 1", wall=True),
    "time_of_a_file": Attack("await Deno.utime(input.json, 1, 1); return 1"),
    "memory_picture": Attack("return (await import('node:v8')).writeHeapSnapshot(input.gem + '/h')", wall=True),
    "rights_of_a_file": Attack("await Deno.chmod(input.gem + '/write_link.ts', 0o777); return 1", wall=True),
}
NETWORK = {
    "fetch": Attack("return await (await fetch(`http://127.0.0.1:${input.port}/`)).text()", wall=True),
    "connect": Attack("return (await Deno.connect({ port: input.port })).localAddr.transport", wall=True),
    "listen": Attack("return Deno.listen({ port: 0 }).addr.transport", wall=True),
    "node_connect": Attack(
        "const { connect } = await import('node:net'); return await new Promise((yes, no) => { "
        "const s = connect(input.port, '127.0.0.1', () => { s.destroy(); yes(1); }); s.on('error', no); })",
        wall=True,
    ),
    "datagram": Attack(
        "const { createSocket } = await import('node:dgram'); return await new Promise((yes, no) => { "
        "setTimeout(() => no(new Error('nothing was bound')), 1000); "
        "const s = createSocket('udp4'); s.on('error', no); s.bind(0, () => { s.close(); yes(1); }); })",
        wall=True,
    ),
    "secure": Attack("return (await Deno.connectTls({ hostname: '127.0.0.1', port: input.port })).close()", wall=True),
    "name_server": Attack(
        "const s = { nameServer: { ipAddr: '127.0.0.1', port: input.port } }; "
        "return await Promise.race([Deno.resolveDns('secret.example', 'TXT', s), "
        "new Promise((yes) => setTimeout(yes, 300, 'asked'))])",
        wall=True,
    ),
    "name": Attack("return (await (await import('node:dns/promises')).lookup('localhost')).address", wall=True),
    "web_socket": Attack(
        "return await new Promise((yes, no) => { const s = new WebSocket(`ws://127.0.0.1:${input.port}/`); "
        "s.onerror = (e) => yes(e.message); s.onopen = () => yes('open'); })"
    ),
    "serve": Attack(
        "const s = Deno.serve({ port: 0, onListen() {} }, () => new Response('')); await s.shutdown(); return 1",
        wall=True,
    ),
    "local_socket": Attack("return Deno.listen({ transport: 'unix', path: input.gem + '/s' }).addr.path", wall=True),
    "http2": Attack(
        "const { connect } = await import('node:http2'); return await new Promise((yes, no) => { "
        "const c = connect(`http://127.0.0.1:${input.port}`, () => { c.destroy(); yes(1); }); c.on('error', no); })",
        wall=True,
    ),
    "remote_module": Attack(
        "const m = `http://127.0.0.1:${input.port}/m.js`; return (await import(m)).default", wall=True, caught=False
    ),
}
SYSTEM = {
    "environment": Attack("return Object.keys(Deno.env.toObject()).length"),
    "environment_through_node": Attack("return (await import('node:process')).default.env.DENO_DIR.length"),
    "change_of_the_environment": Attack("Deno.env.set('PATH', '/x'); return Deno.env.get('PATH')"),
    "memory_of_the_system": Attack("return Deno.systemMemoryInfo().total"),
    "addresses": Attack("return Deno.networkInterfaces().length + 1", wall=True),
    "user": Attack("return String(Deno.uid())"),
    "user_through_node": Attack("return (await import('node:os')).userInfo().username", wall=True),
    "release": Attack("return Deno.osRelease()"),
    "load": Attack("return Deno.loadavg().length"),
    "file_mask": Attack("return Deno.umask(0o22)"),
    "debugger": Attack("return String((await import('node:inspector')).url())"),
    "add_on": Attack(
        "const { default: p } = await import('node:process'); try { p.dlopen({ exports: {} }, '/nowhere.node'); } "
        "catch (error) { if (error.name === 'NotCapable') throw error; } return 1"
    ),
    "host_name": Attack("return Deno.hostname()"),
    "command": Attack("return (await new Deno.Command('/bin/true').output()).code", wall=True),
    "command_of_itself": Attack(
        "return (await new Deno.Command(Deno.execPath(), { args: ['--version'] }).output()).code", wall=True
    ),
    "command_through_node": Attack("return (await import('node:child_process')).execSync('echo hi')", wall=True),
    "signal_to_the_parent": Attack("Deno.kill(Deno.ppid, 'SIGCONT'); return 1", wall=True),
    "native_code": Attack(LIBRARY + " getpid: { parameters: [], result: 'i32' } }); return c.getpid()"),
    "native_fork": Attack(
        LIBRARY + " fork: { parameters: [], result: 'i32' }, _exit: { parameters: ['i32'], result: 'void' } }); "
        "const pid = c.fork(); if (pid === 0) c._exit(0); if (pid < 0) throw new Error('refused'); return pid",
        wall=True,
    ),
    "native_socket": Attack(
        LIBRARY + " socket: { parameters: ['i32', 'i32', 'i32'], result: 'i32' } }); "
        "const s = c.socket(2, 2, 0); if (s < 0) throw new Error('refused'); return s",
        wall=True,
    ),
    "native_signal_to_all": Attack(
        LIBRARY + " kill: { parameters: ['i32', 'i32'], result: 'i32' } }); "
        "if (c.kill(Deno.ppid, 0) < 0) throw new Error('refused'); return 1",
        wall=True,
    ),
    "more_rights_on_request": Attack(
        "const { state } = await Deno.permissions.request({ name: 'read', path: '/' }); "
        "if (state !== 'granted') throw new Error(state); return state"
    ),
}
ATTACKS = {
    f"{group}_{name}": attack
    for group, attacks in {"read": READING, "write": WRITING, "net": NETWORK, "system": SYSTEM}.items()
    for name, attack in attacks.items()
}
ROWS = {
    "read": ("TOOL-004", "APP-008", "DATA-488", "GEM-015"),
    "write": ("TOOL-005", "DATA-488"),
    "net": ("TOOL-006", "TOOL-008"),
    "system": ("TOOL-007", "APP-008"),
}
Found = dict[Barriers, dict[str, Result]]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    return {
        barriers: asyncio.run(run_all(ATTACKS, barriers, tmp_path_factory.mktemp("arena").resolve()))
        for barriers in Barriers
    }


def outcome(found: Found, barriers: Barriers, name: str) -> str:
    return found[barriers][name].outcome


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.req(*ROWS[name.partition("_")[0]])) for name in ATTACKS]
)
def test_an_attack_is_blocked_and_its_control_gets_through(found: Found, name: str) -> None:
    assert outcome(found, Barriers.ALL, name).startswith("blocked: ")
    assert outcome(found, Barriers.NONE, name).startswith("reached: ")


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_seen_in_the_log_which_has_no_word_of_the_gem(found: Found, name: str) -> None:
    log = found[Barriers.ALL][name].log
    assert "guest gem@1, call " in log
    assert "secret.txt" not in log


@pytest.mark.skipif(sys.platform != "linux", reason="the second wall is built for Linux only")
@pytest.mark.parametrize("name", [name for name, attack in ATTACKS.items() if attack.wall])
def test_the_wall_alone_blocks_it_too(found: Found, name: str) -> None:
    assert outcome(found, Barriers.WALL, name).startswith("blocked: ")


def test_the_wall_leaves_the_runtime_its_own_affairs(found: Found) -> None:
    for name, attack in ATTACKS.items():
        if not attack.wall:
            assert outcome(found, Barriers.WALL, name).startswith("reached: "), name
