/** A card with its frame: title, drag handle, size, edit button and remove button. */
import { ActionIcon, NativeSelect } from "@mantine/core";
import type { Device } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Subject } from "../../charts/series-subject.ts";
import type { View } from "../../charts/span.ts";
import { isReachable } from "../../devices/main-control-view.tsx";
import { Icon } from "../../kit/display/icon.tsx";
import { Loading } from "../../kit/display/query-view.tsx";
import { OnlineState, useIsCurrent } from "../../kit/display/state.tsx";
import { Age, clockOf } from "../../kit/text/age.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { valueWords } from "../../kit/text/value-words.ts";
import type { Target } from "../../live/target.ts";
import { CARD_SIZES, type CardSize, type PinnedCard } from "./cards.ts";
import classes from "./dashboard.module.css";
import { descriptorOf, propertyName, subjectOf, type Things } from "./use-dashboard.ts";

interface CardViewProps {
  readonly card: PinnedCard;
  readonly things: Things;
  readonly arranging: Arranging;
  readonly isArranging: boolean;
  /** The time span of a chart without its own, in ms. */
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

/** The card's own title, or its default one. */
export function cardTitle(card: PinnedCard, things: Things): string {
  return card.title ?? usualTitle(card, things);
}

/** The default title: the device and its properties. */
export function usualTitle({ properties }: PinnedCard, things: Things): string {
  const [first, ...rest] = properties;
  if (!first) return "Card";
  const device = things.devices.find(({ id }) => id === first.deviceId);
  const own = `${device ? nameOf(device) : first.deviceId}: ${propertyName(things, first)}`;
  return rest.length === 0 ? own : `${own} and ${rest.length} more`;
}

interface ValueCardProps {
  readonly things: Things;
  readonly device: Device;
  readonly target: Target;
}

/** One large value as last reported, with its age unless it is fresh, and with the device's connection state. */
function ValueCard({ things, device, target }: ValueCardProps) {
  const isCurrent = useIsCurrent();
  const descriptor = descriptorOf(things, target);
  if (!descriptor)
    return <p className={classes.quiet}>{things.isPending ? "…" : "The device no longer has this property."}</p>;
  const { value, unit, observedAt, source } = descriptor;
  return (
    <>
      <p className={classes.value}>
        <bdi>{cut(valueWords(value, target.property, unit), 60)}</bdi>
      </p>
      <p className={classes.quiet}>
        {value === undefined ? null : source === "retained" ? (
          "of unknown age"
        ) : observedAt === undefined ? null : isCurrent ? (
          <Age at={observedAt} prefix="observed " />
        ) : (
          `as of ${clockOf(observedAt)}`
        )}
        {!isReachable(device) && <OnlineState connection={device.connection} />}
      </p>
    </>
  );
}

const HistoryChart = lazy(() => import("../../charts/history-chart.tsx"));

interface ChartCardProps {
  readonly card: PinnedCard;
  readonly things: Things;
  /** The displayed time span, in ms. */
  readonly length: number;
}

/** A chart of the pinned properties with their devices' names, without the less common buttons of a device's page. */
function ChartCard({ card, things, length }: ChartCardProps) {
  const isOfSeveral = new Set(card.properties.map(({ deviceId }) => deviceId)).size > 1;
  const found = card.properties.flatMap((target) => subjectOf(things, target, isOfSeveral) ?? []);
  const text = JSON.stringify(
    found.map(({ descriptor, ...rest }) => [
      rest,
      descriptor?.type,
      descriptor?.unit,
      descriptor?.values,
      descriptor?.access,
    ]),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text changes with the subjects, but not with their values
  const subjects: readonly Subject[] = useMemo(() => found, [text]);
  const view = useMemo((): View => ({ kind: "recent", length }), [length]);
  if (things.isPending) return <Loading />;
  if (subjects.length === 0) return <p className={classes.quiet}>Its devices are no longer in this environment.</p>;
  return (
    <Suspense fallback={<Loading />}>
      <HistoryChart
        // A changed time span resets the zoom of the chart.
        key={length}
        subjects={subjects}
        label={cut(subjects.map(({ name }) => name).join(", "), 120)}
        view={view}
        isSmall
      />
    </Suspense>
  );
}

/** Reorders cards: by dragging their handle with mouse, pen or touch, or by the arrow keys on it. */
interface Arranging {
  /** The dragged card and the card below the pointer. */
  readonly drag: { readonly id: string; readonly over: string | undefined } | undefined;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>, id: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, id: string) => void;
}

/** A drag shorter than this counts as a click, in px. */
const CLICK = 4;
/** Distance from an edge of the window within which the page scrolls, in px. */
const EDGE = 72;

/** @param ids in their order @param onMove moves a card to the place of another */
export function useArrange(ids: readonly string[], onMove: (id: string, place: string) => void): Arranging {
  const [drag, setDrag] = useState<Arranging["drag"]>();
  const ending = useRef<AbortController>(undefined);
  const move = useEffectEvent(onMove);
  useEffect(() => () => ending.current?.abort(), []);
  const onPointerDown = (event: PointerEvent<HTMLElement>, id: string) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const grip = event.currentTarget;
    grip.setPointerCapture(event.pointerId);
    const from = { x: event.clientX, y: event.clientY };
    const end = new AbortController();
    ending.current?.abort();
    ending.current = end;
    const { signal } = end;
    let over: string | undefined;
    let isMoving = false;
    const onPointerMove = ({ clientX, clientY }: globalThis.PointerEvent) => {
      isMoving ||= Math.hypot(clientX - from.x, clientY - from.y) >= CLICK;
      if (!isMoving) return;
      const by = clientY < EDGE ? clientY - EDGE : Math.max(0, clientY - innerHeight + EDGE);
      if (by !== 0) scrollBy({ top: by / 4, behavior: "instant" });
      const card = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-card]");
      over = card?.dataset.card;
      setDrag({ id, over });
    };
    const stop = () => {
      end.abort();
      setDrag(undefined);
    };
    grip.addEventListener("pointermove", onPointerMove, { signal });
    grip.addEventListener(
      "pointerup",
      () => {
        if (over !== undefined && over !== id) move(id, over);
        stop();
      },
      { signal },
    );
    grip.addEventListener("pointercancel", stop, { signal });
    window.addEventListener("keydown", ({ key }) => key === "Escape" && stop(), { signal });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, id: string) => {
    const step = stepOf(event.key);
    const place = step === undefined ? undefined : ids[ids.indexOf(id) + step];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (place !== undefined) onMove(id, place);
  };
  return { drag, onPointerDown, onKeyDown };
}

function stepOf(key: string): 1 | -1 | undefined {
  if (key === "ArrowLeft" || key === "ArrowUp") return -1;
  return key === "ArrowRight" || key === "ArrowDown" ? 1 : undefined;
}
