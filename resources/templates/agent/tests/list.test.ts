import type { Context } from "../.notochord/notochord.d.ts";
import addItem from "../tools/add_item.ts";
import readList from "../tools/read_list.ts";

/** Each exported function is a test; it fails by throwing. Each begins with an empty storage. */
export async function what_is_added_is_on_the_list(ctx: Context): Promise<void> {
  await addItem({ item: "flour", amount: "1 kg" }, ctx);
  await addItem({ item: "salt" }, ctx);
  const found = JSON.stringify(await readList({}, ctx));
  if (found !== '[{"item":"flour","amount":"1 kg"},{"item":"salt"}]') throw new Error(found);
}

export async function a_new_list_is_empty(ctx: Context): Promise<void> {
  const found = await readList({}, ctx);
  if (found.length !== 0) throw new Error(JSON.stringify(found));
}
