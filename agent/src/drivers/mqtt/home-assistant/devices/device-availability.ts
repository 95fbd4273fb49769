/**
 * Whether a device is there, from what each of its entities says of that. Home Assistant keeps availability for entities; a device here
 * is there or not as a whole. So what more than half of its entities say decides; entities that say nothing of it are not counted.
 */
import type { MqttAvailability } from "../../device/mqtt-device.ts";
import type { AvailabilityTopic, DescribedAvailability, DescribedEntity } from "../discovery/described-entity.ts";
import { isPlainTopic } from "../entities/entity-options.ts";
import type { Notes } from "../entities/notes.ts";
import { textReader } from "../entities/templates.ts";

interface Vote {
  readonly availability: DescribedAvailability;
  votes: number;
}

/** Entities that say something else than what was chosen are noted as `otherAvailability`. */
export function deviceAvailability(entities: readonly DescribedEntity[], notes: Notes): MqttAvailability {
  const votes = countVotes(entities);
  const chosen = choose(votes);
  const others = [...votes].filter(([key]) => key !== keyOf(chosen));
  for (const [, { votes: count }] of others)
    for (let each = 0; each < count; each += 1) notes.leaveAside("otherAvailability");
  const topics = chosen.topics.flatMap((each) => readableTopic(each, entities, notes));
  return { mode: chosen.mode, topics };
}

function countVotes(entities: readonly DescribedEntity[]): Map<string, Vote> {
  const votes = new Map<string, Vote>();
  for (const { availability } of entities) {
    if (availability.topics.length === 0) continue;
    const key = keyOf(availability);
    const vote = votes.get(key) ?? { availability: normalized(availability), votes: 0 };
    vote.votes += 1;
    votes.set(key, vote);
  }
  return votes;
}

/** What most say as a whole; else the topics that most name; else what is said most often. */
function choose(votes: ReadonlyMap<string, Vote>): DescribedAvailability {
  const ranked = [...votes].sort(([keyA, a], [keyB, b]) => b.votes - a.votes || (keyA < keyB ? -1 : 1));
  const [first] = ranked.map(([, vote]) => vote);
  if (!first) return { mode: "latest", topics: [] };
  const all = ranked.reduce((sum, [, vote]) => sum + vote.votes, 0);
  if (first.votes * 2 > all) return first.availability;
  const shared = sharedTopics(
    ranked.map(([, vote]) => vote),
    all,
  );
  return shared.length > 0 ? normalized({ mode: "all", topics: shared }) : first.availability;
}

/** Topics without which more than half of the entities are not there. */
function sharedTopics(votes: readonly Vote[], all: number): AvailabilityTopic[] {
  const counts = new Map<string, { topic: AvailabilityTopic; votes: number }>();
  for (const { availability, votes: count } of votes) {
    if (availability.mode !== "all" && availability.topics.length > 1) continue;
    for (const topic of availability.topics) {
      const counted = counts.get(topicKey(topic)) ?? { topic, votes: 0 };
      counted.votes += count;
      counts.set(topicKey(topic), counted);
    }
  }
  const shared = [...counts].filter(([, { votes: count }]) => count * 2 > all);
  return shared.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { topic }]) => topic);
}

/** Of a single topic, all modes are one. */
function normalized({ mode, topics }: DescribedAvailability): DescribedAvailability {
  const each = new Map(topics.map((topic) => [topicKey(topic), topic]));
  return { mode: each.size === 1 ? "latest" : mode, topics: [...each.values()] };
}

function keyOf(availability: DescribedAvailability): string {
  const { mode, topics } = normalized(availability);
  return JSON.stringify([mode, ...topics.map(topicKey).sort()]);
}

function topicKey({ topic, available, notAvailable, template }: AvailabilityTopic): string {
  return JSON.stringify([topic, available, notAvailable, template ?? ""]);
}

/** None for what cannot be read: it says neither that the device is there nor that it is not. */
function readableTopic(
  { topic, available, notAvailable, template }: AvailabilityTopic,
  [first]: readonly DescribedEntity[],
  notes: Notes,
): MqttAvailability["topics"] {
  const read = textReader(template);
  const isTemplate = "problem" in read;
  if (isTemplate || !isPlainTopic(topic)) {
    const why = isTemplate ? `${read.problem}: ${template}` : `${topic} is not a topic of a device`;
    notes.leaveAside(
      isTemplate ? "badTemplate" : "badOption",
      `${first?.topic}: availability is not understood (${why})`,
    );
    return [];
  }
  const says = (text: string | undefined) => (text === available ? true : text === notAvailable ? false : undefined);
  return [{ topic, read: (payload) => says(read(payload)) }];
}
