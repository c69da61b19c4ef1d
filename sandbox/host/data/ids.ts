/** Ids that sort by the time they were made, as the program makes them itself: 48 bits of time, 80 bits of chance. */

import { Bytes } from "../../hardening/primitives.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 26;
const TIME_LETTERS = 10;

const { now } = Date;
const getRandomValues = crypto.getRandomValues.bind(crypto);
const { floor } = Math;

export function newId(): string {
  // 130 bits in 26 letters of five: the first two are never set, 48 are the time, 80 are chance.
  let time = now(), head = "";
  for (let index = 0; index < TIME_LETTERS; index++) {
    head = ALPHABET[time % 32]! + head;
    time = floor(time / 32);
  }
  const chance = getRandomValues(new Bytes(LENGTH - TIME_LETTERS));
  let tail = "";
  for (let index = 0; index < chance.length; index++) tail += ALPHABET[chance[index]! & 31];
  return head + tail;
}
