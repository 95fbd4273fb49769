/** A card with its frame: its name, a grip to move it by, its size, a button to edit it, and what takes it away. */
import { ActionIcon, NativeSelect } from "@mantine/core";
import type { Device } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import { Icon } from "../../kit/display/icon.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { CARD_SIZES, type CardSize, type PinnedCard } from "./cards.ts";
import { ChartCard } from "./chart-card.tsx";
import classes from "./dashboard.module.css";
import type { Arranging } from "./use-arrange.ts";
import { propertyName, type Things } from "./use-subjects.ts";
import { ValueCard } from "./value-card.tsx";

export interface CardViewProps {
  readonly card: PinnedCard;
  readonly things: Things;
  readonly arranging: Arranging;
  readonly isArranging: boolean;
  /** Of a chart without a time of its own, ms. */
  readonly length: number;
  readonly onEdit: () => void;
  readonly onSize: (size: CardSize) => void;
  readonly onRemove: () => void;
}

const SIZE_WORDS: Readonly<Record<CardSize, string>> = { small: "Small", wide: "Wide", full: "Full width" };

export function CardView(props: CardViewProps) {
  const { card, things, arranging, isArranging, length, onEdit, onSize, onRemove } = props;
  const { id, size, properties, kind } = card;
  const title = cardTitle(card, things);
  const [first] = properties;
  const device = things.devices.find((each) => each.id === first?.deviceId);
  const { drag, onPointerDown, onKeyDown } = arranging;
  return (
    <li
      className={classes.card}
      data-card={id}
      data-size={size}
      data-dragged={drag?.id === id || undefined}
      data-over={(drag !== undefined && drag.id !== id && drag.over === id) || undefined}
    >
      <section aria-label={title}>
        <header className={classes.head}>
          {isArranging && (
            <button
              type="button"
              className={classes.grip}
              aria-label={`Move ${title}`}
              title="Drag, or use the arrow keys"
              onPointerDown={(event) => onPointerDown(event, id)}
              onKeyDown={(event) => onKeyDown(event, id)}
            >
              <Icon name="grip" />
            </button>
          )}
          <h2
            className={classes.title}
            title={card.title === undefined ? title : `${title} (${usualTitle(card, things)})`}
          >
            <TitleLink device={device} title={cut(title, 90)} />
          </h2>
          {isArranging && (
            <div className={classes.tools}>
              <NativeSelect
                size="xs"
                aria-label={`Size of ${title}`}
                value={size}
                onChange={({ currentTarget: { value } }) =>
                  onSize(CARD_SIZES.find((each) => each === value) ?? "small")
                }
                data={CARD_SIZES.map((value) => ({ value, label: SIZE_WORDS[value] }))}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Edit ${title}`}
                aria-haspopup="dialog"
                onClick={onEdit}
              >
                <Icon name="edit" />
              </ActionIcon>
              <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${title}`} onClick={onRemove}>
                <Icon name="close" />
              </ActionIcon>
            </div>
          )}
        </header>
        {kind === "chart" ? (
          <ChartCard card={card} things={things} length={card.length ?? length} />
        ) : device && first ? (
          <ValueCard things={things} device={device} target={first} />
        ) : (
          <p className={classes.quiet}>{things.isPending ? "…" : "Its device is no longer in this environment."}</p>
        )}
      </section>
    </li>
  );
}

function TitleLink({ device, title }: { readonly device: Device | undefined; readonly title: string }) {
  if (!device) return <bdi>{title}</bdi>;
  const params = { environmentId: device.environmentId, deviceId: device.id };
  return (
    <Link to="/environments/$environmentId/devices/$deviceId" params={params}>
      <bdi>{title}</bdi>
    </Link>
  );
}

/** Its own title, or what it shows. */
export function cardTitle(card: PinnedCard, things: Things): string {
  return card.title ?? usualTitle(card, things);
}

/** Its device, and what of it. */
export function usualTitle({ properties }: PinnedCard, things: Things): string {
  const [first, ...rest] = properties;
  if (!first) return "Card";
  const device = things.devices.find(({ id }) => id === first.deviceId);
  const own = `${device ? nameOf(device) : first.deviceId}: ${propertyName(things, first)}`;
  return rest.length === 0 ? own : `${own} and ${rest.length} more`;
}
