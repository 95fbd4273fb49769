/** What a query has to show, in each of its states: nothing yet, failed, empty, there, and there but old. */
import { Group, Skeleton, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";

/** What of a query is needed: several that are only good together can be shown as one. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

export interface QueryViewProps<T> {
  readonly query: Asked<T>;
  /** Shown in place of the children when this is so of the data. */
  readonly isEmpty?: (data: T) => boolean;
  readonly empty?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** The last known data stands whenever there is any; a failure to renew it stands above. */
export function QueryView<T>({ query, isEmpty, empty, children }: QueryViewProps<T>) {
  const { data, error, isPending } = query;
  const retry = () => void query.refetch();
  if (isPending) return <Loading />;
  if (data === undefined) return <Failure error={error} retry={retry} />;
  return (
    <>
      {error && <Failure error={error} retry={retry} />}
      {isEmpty?.(data) ? empty : children(data)}
    </>
  );
}

export function Loading() {
  return (
    <Stack gap="xs" aria-busy="true" aria-label="Loading" role="status">
      <Skeleton height={18} width="40%" />
      <Skeleton height={18} />
      <Skeleton height={18} width="80%" />
    </Stack>
  );
}

export interface EmptyProps {
  /** What is not there: "No webhooks yet". */
  readonly title: string;
  /** What they are for, in a sentence. */
  readonly children: ReactNode;
  /** The next action. */
  readonly action?: ReactNode;
  /** For developers, below that: the command that does it. */
  readonly command?: ReactNode;
}

export function Empty({ title, children, action, command }: EmptyProps) {
  return (
    <Stack gap="xs" py="lg" align="flex-start">
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" maw="38rem" w="100%" component="div">
        {children}
      </Text>
      {action && <Group>{action}</Group>}
      {command && (
        <Text c="dimmed" maw="38rem" w="100%" component="div">
          {command}
        </Text>
      )}
    </Stack>
  );
}
