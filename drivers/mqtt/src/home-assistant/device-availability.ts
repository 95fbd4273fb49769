/**
 * Derives the availability of a device and of its parts from its entities. The availability that more than half of the entities describe
 * belongs to the device; an entity whose description differs has its own in addition.
 */
import type { MqttAvailability, MqttCondition } from "../device/mqtt-device.ts";
import type { AvailabilityTopic, DescribedAvailability, DescribedEntity } from "./discovery-payload.ts";
import { isPlainTopic, Notes } from "./entity-options.ts";
import { textReader } from "./templates.ts";

interface Vote {
  readonly availability: DescribedAvailability;
  /** The first entity with this availability. */
  readonly entity: DescribedEntity;
  votes: number;
}

export interface EntitiesAvailability {
  readonly ofDevice: MqttAvailability;
  /** Whether an entity's values are valid and the entity can be set; undefined where its device's availability applies. */
  readonly ofEntity: (entity: DescribedEntity) => MqttCondition | undefined;
}

export function deviceAvailability(entities: readonly DescribedEntity[], notes: Notes): EntitiesAvailability {
  const votes = countVotes(entities);
  const chosen = choose(votes, entities.length);
  const own = new Map<string, MqttCondition>();
  for (const [key, { availability, entity }] of votes) {
    const { mode, topics } = readable(availability, entity, notes);
    if (key !== keyOf(chosen) && topics.length > 0)
      own.set(key, { ...{ mode, topics, initially: false, isForWrites: true }, id: `available ${key}` });
  }
  const [first] = entities;
  return {
    // The problems of all voted availabilities are already recorded, and these include the shared topics.
    ofDevice: first ? readable(chosen, first, new Notes()) : { mode: "latest", topics: [] },
    ofEntity: ({ availability }) => (availability.topics.length === 0 ? undefined : own.get(keyOf(availability))),
  };
}

function countVotes(entities: readonly DescribedEntity[]): Map<string, Vote> {
  const votes = new Map<string, Vote>();
  for (const entity of entities) {
    const { availability } = entity;
    if (availability.topics.length === 0) continue;
    const key = keyOf(availability);
    const vote = votes.get(key) ?? { availability: normalized(availability), entity, votes: 0 };
    vote.votes += 1;
    votes.set(key, vote);
  }
  return votes;
}

/**
 * The availability that most entities describe as a whole; otherwise the topics that most of them name; otherwise none.
 * @param all number of entities
 */
function choose(votes: ReadonlyMap<string, Vote>, all: number): DescribedAvailability {
  const ranked = [...votes].sort(([keyA, a], [keyB, b]) => b.votes - a.votes || (keyA < keyB ? -1 : 1));
  const [first] = ranked.map(([, vote]) => vote);
  if (first && first.votes * 2 > all) return first.availability;
  const shared = sharedTopics(
    ranked.map(([, vote]) => vote),
    all,
  );
  return normalized({ mode: shared.length > 1 ? "all" : "latest", topics: shared });
}

/** Topics without which more than half of the entities are unreachable. */
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

/** With a single topic, all modes are equivalent. */
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

function readable({ mode, topics }: DescribedAvailability, entity: DescribedEntity, notes: Notes): MqttAvailability {
  return { mode, topics: topics.flatMap((each) => readableTopic(each, entity, notes)) };
}

/** Empty for a topic that cannot be read: it reports neither presence nor absence. */
function readableTopic(
  { topic, available, notAvailable, template }: AvailabilityTopic,
  entity: DescribedEntity,
  notes: Notes,
): MqttAvailability["topics"] {
  const read = textReader(template);
  const isTemplate = "problem" in read;
  if (isTemplate || !isPlainTopic(topic)) {
    const why = isTemplate ? `${read.problem}: ${template}` : `${topic} is not a topic of a device`;
    notes.leaveAside(
      isTemplate ? "badTemplate" : "badOption",
      `${entity.topic}: availability is not understood (${why})`,
    );
    return [];
  }
  const says = (text: string | undefined) => (text === available ? true : text === notAvailable ? false : undefined);
  return [{ topic, read: (payload) => says(read(payload)) }];
}
