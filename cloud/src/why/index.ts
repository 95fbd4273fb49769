/** Explains the state of a property, from commands, events, tokens, presence and the hub's journal. */
export { Why, type WhyDeps } from "./why.ts";
