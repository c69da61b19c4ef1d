/**
 * The guest's program: one process per gem and grant context. It runs a gem's tools and carries their requests to the
 * program that started it. Nothing here guards anything: every right is checked on the other side.
 */

import { newOnly, watchDenials } from "./hardening/denials.ts";
import { closeGlobals, surviveUncaught } from "./hardening/globals.ts";
import { Calls } from "./router/calls.ts";
import { Consoles } from "./runtime/console.ts";
import { tell } from "./runtime/failures.ts";
import { Inbox, outbox } from "./transport/pipes.ts";

const { stdin, stdout, inspect, exit } = Deno;
const inbox = new Inbox(stdin.read.bind(stdin));
const send = outbox(stdout.writeSync.bind(stdout));
const consoles = new Consoles(send, (value) => inspect(value));
const calls = new Calls(send, consoles);
const report = newOnly(() => consoles.current(), (call, what) => send({ type: "denied", call, what }));

consoles.install(console as unknown as Record<string, unknown>);
surviveUncaught((failure) => consoles.write([`nobody caught: ${tell(failure).message}`]));
closeGlobals(report);
watchDenials(report);
send({ type: "ready" });

for (let received = await inbox.next(); received !== null; received = await inbox.next()) {
  calls.take(received.message, received.attachment);
}
exit(0);
