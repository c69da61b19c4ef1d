import type { Context, SopContext } from "../.notochord/notochord.d.ts";
import tasks from "../tools/tasks.ts";
import morning from "../workflows/morning.ts";

/** Plays what runs an SOP, with the gem's own tool and storage behind it. */
function running(ctx: Context): SopContext {
  const call = async (target: string, given: { key: string; value: string }) => {
    if (target === "tool.tasks") return await tasks({}, ctx);
    if (target === "storage.kv.get") return await ctx.storage.kv.get(given.key);
    await ctx.storage.kv.set(given.key, given.value);
    return { ok: true };
  };
  return { call } as unknown as SopContext;
}

/** Each exported function is a test; it fails by throwing. Each begins with an empty storage. */
export async function open_tasks_are_counted_and_compared_with_the_day_before(ctx: Context): Promise<void> {
  await tasks({ add: "water the plants" }, ctx);
  const first = await morning({ limit: 1 }, running(ctx));
  await tasks({ add: "buy flour" }, ctx);
  const second = await morning({ limit: 1 }, running(ctx));
  const found = JSON.stringify([first, second]);
  if (found !== '[{"open":1,"more":1,"many":false},{"open":2,"more":1,"many":true}]') throw new Error(found);
}

export async function a_day_without_tasks_is_a_quiet_one(ctx: Context): Promise<void> {
  const found = JSON.stringify(await morning({ limit: 1 }, running(ctx)));
  if (found !== '{"open":0,"more":0,"many":false}') throw new Error(found);
}
