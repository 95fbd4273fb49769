/*
 * The device end of the Porchlight device protocol, version 1, in portable C99. docs/contract/device-protocol.md says what goes over the
 * line and numbers its rules; the names in parentheses here (M7, P4) are these numbers.
 *
 * No memory is allocated, nothing but the C standard headers is needed, and nothing blocks. The program
 *   - hands in the bytes that arrive            pl_receive
 *   - takes the bytes to send                   pl_transmit
 *   - calls from time to time                   pl_tick
 *   - says when a value has changed by itself   pl_changed, pl_event
 * and gives three functions that read, write and identify. All of them are called from within pl_receive and pl_tick, never from
 * elsewhere. One node belongs to one thread; a node is about (2 + PL_WINDOW) * PL_FRAME_MAX bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PORCHLIGHT_H
#define PORCHLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest frame, unescaped and with its CRC, bytes: 128 to 4095 (F7). Longer descriptions are cut into parts. */
#ifndef PL_FRAME_MAX
#define PL_FRAME_MAX 256
#endif
/* Requests that a hub may send without waiting for answers, 1 to 8: they wait in the buffer of the line, which must hold so many frames.
   The answers to as many are remembered (R2): a frame of memory each. */
#ifndef PL_WINDOW
#define PL_WINDOW 1
#endif
/* Properties of all devices of the node together: 12 bytes each. */
#ifndef PL_PROPERTIES_MAX
#define PL_PROPERTIES_MAX 16
#endif
/* Places of the node: 1 for a single device, more for a bridge, at most 128. */
#ifndef PL_DEVICES_MAX
#define PL_DEVICES_MAX 1
#endif
/* Events of notify-only properties that wait at once: at least 4 (P4). */
#ifndef PL_EVENTS_MAX
#define PL_EVENTS_MAX 4
#endif

typedef enum {
  PL_NULL, /* no value at present */
  PL_BOOLEAN,
  PL_INTEGER,
  PL_NUMBER,
  PL_TEXT,
  PL_JSON /* one item of CBOR as the profile has it (C1 to C7), in `text` */
} pl_type;

typedef struct {
  pl_type type;
  union {
    bool boolean;
    int64_t integer; /* -(2^53-1) to 2^53-1 */
    double number;   /* finite */
    struct {
      const char *bytes; /* UTF-8, need not end with 0 */
      size_t length;     /* bytes */
    } text;
  } as;
} pl_value;

/* Access to a property, added up (D2). */
enum { PL_READ = 1, PL_WRITE = 2, PL_NOTIFY = 4 };
/* Which of the bounds of a property count, added up. */
enum { PL_LO = 1, PL_HI = 2, PL_STEP = 4 };

typedef struct {
  const char *name;
  pl_type type;
  uint8_t access;
  /* Exactly as in the catalogue of standard services: told by its name only. */
  bool standard;
  const char *unit; /* at most 16 characters; NULL without one */
  uint8_t bounds;
  double lo, hi, step;        /* what is written is checked against them; steps are counted from lo, or from 0 without it */
  const char *const *allowed; /* the only texts that it can have, NULL after the last; NULL when it can have any */
} pl_property;

/* A property that is exactly as in the catalogue. */
#define PL_STANDARD(NAME, TYPE, ACCESS) {(NAME), (TYPE), (ACCESS), true, NULL, 0, 0, 0, 0, NULL}
/* A standard number from LO to HI: what is outside is refused before your function is asked. */
#define PL_STANDARD_RANGE(NAME, TYPE, ACCESS, LO, HI) \
  {(NAME), (TYPE), (ACCESS), true, NULL, PL_LO | PL_HI, (LO), (HI), 0, NULL}

typedef struct {
  const char *name; /* the class: "Switch" */
  uint16_t index;   /* 0 to 999: tells several of one class apart */
  const pl_property *properties;
  uint8_t count; /* 1 to 64 */
} pl_service;

/* What a node or a device says of itself; every text at most 64 characters, or NULL. */
typedef struct {
  const char *manufacturer, *model, *firmware, *serial;
  const char *name; /* that its owner would know; of devices only */
} pl_about;

typedef struct {
  const char *edge_id; /* "00-1B-44-11-3A-B7" (M5) */
  const pl_service *services;
  uint8_t count;         /* 1 to 64 */
  const pl_about *about; /* or NULL */
} pl_device;

/* Positions in the tables above: the device at `place`, its `service`th service, and of that the `property`th property. */
typedef struct {
  uint8_t place, service, property;
} pl_address;

/* What an answer says (section ERROR of the protocol). 0 is success. */
enum {
  PL_OK = 0,
  PL_UNKNOWN_TYPE = 1,
  PL_MALFORMED = 2,
  PL_UNKNOWN_DEVICE = 3,
  PL_UNKNOWN_SERVICE = 4,
  PL_UNKNOWN_PROPERTY = 5,
  PL_NOT_READABLE = 6,
  PL_NOT_WRITABLE = 7,
  PL_VALUE_REFUSED = 8,    /* the hardware has surely not acted */
  PL_BUSY = 9,             /* not now: the hub asks again */
  PL_HARDWARE_FAILURE = 10 /* nobody knows whether the hardware has acted */
};

/* Your part. Each gives PL_OK or one of the codes above, and returns within 300 ms (B5). */
typedef struct {
  /* What a property is now. `value` comes in as PL_NULL; a text need only stay where it is until the next call. What cannot be sent
     (pl_counters.values) is answered with PL_HARDWARE_FAILURE, and reported as no value at present. */
  uint8_t (*read)(void *context, pl_address address, pl_value *value);
  /* Sets a property. `value` comes in as what is wanted, of the property's type and within its bounds, and goes out as what now
     applies. What takes longer is begun here, with the value aimed at, and told on by pl_changed. */
  uint8_t (*write)(void *context, pl_address address, pl_value *value);
  /* Shows which device it is for so many seconds; 0 ends it. */
  uint8_t (*identify)(void *context, uint8_t place, uint32_t seconds);
} pl_driver;

/* Everything here has to stay where it is as long as the node. */
typedef struct {
  const char *edge_id; /* of the node; a single device's own */
  const pl_about *about;
  const pl_device *devices;
  uint8_t count;
  uint32_t boot; /* another at every boot: a counter in flash, or noise; 0 when there is neither (M6) */
  const pl_driver *driver;
  void *context;
} pl_config;

/* Why a node could not be started: a mistake in its tables. */
typedef enum {
  PL_STARTED,
  PL_BAD_EDGE_ID,
  PL_BAD_NAME,       /* not [A-Za-z][A-Za-z0-9_-]{0,63} */
  PL_BAD_TEXT,       /* too long, or no UTF-8 */
  PL_BAD_INDEX,      /* above 999 */
  PL_BAD_BOUNDS,     /* lo above hi, a step that is not above 0, or bounds of what is no number */
  PL_BAD_COUNT,      /* no property, no service, or more than PL_..._MAX says */
  PL_FRAME_TOO_SMALL /* HELLO, a property's description, or a request for it does not fit PL_FRAME_MAX */
} pl_fault;

/* Bytes and frames that led to nothing. */
typedef struct {
  uint32_t frames;  /* with a good CRC */
  uint32_t escapes; /* dropped for a bad escape */
  uint32_t crcs;    /* dropped for a bad CRC, or because they were too short to have one */
  uint32_t longs;   /* dropped for their length */
  uint32_t items;   /* dropped for bad CBOR, bytes after it, or no message */
  uint32_t events;  /* events that gave way to newer ones (P4) */
  uint32_t values;  /* of yours, left out each time: no finite number, beyond 2^53-1, no UTF-8, no item, or too long for a frame */
} pl_counters;

/* The state of a node. Nothing in it is for anybody but porchlight.c, except `counters`. */
typedef struct {
  /* Small things first: a small processor reaches what is near the beginning with less code. */
  uint8_t session, rx_state, tx_state, hello_count, ping_count, event_count;
  bool is_changed, is_writing, is_doubted;
  pl_address writing;
  uint8_t flying_what;
  bool has_answer;
  uint8_t answer_count, answer_next;
  uint16_t rx_length, tx_length, tx_at, seq;
  uint16_t flying_slot, flying_seq;
  uint32_t flying_hash, flying_again_at;
  uint32_t greeting_since, hello_at, ping_at, changed_turn, next_turn;
  const pl_config *config;
  pl_counters counters;
  uint16_t pings[3], hellos[8];
  bool present[PL_DEVICES_MAX];
  struct {
    uint32_t sent_at, turn;
    bool is_waiting, was_sent;
  } slots[PL_PROPERTIES_MAX];
  struct {
    uint32_t turn;
    pl_address address;
    pl_value value;
  } events[PL_EVENTS_MAX + 1];
  struct {
    uint32_t hash; /* of the request */
    uint16_t seq, request_length, length;
    uint8_t bytes[PL_FRAME_MAX];
  } answers[PL_WINDOW];
  uint8_t rx[PL_FRAME_MAX], tx[PL_FRAME_MAX];
} pl_node;

/*
 * Starts a node: it says HELLO at the next tick. All times are milliseconds of a clock that counts up and wraps at 2^32.
 * `first_seq`: where its seqs begin; best another at every boot.
 */
pl_fault pl_start(pl_node *node, const pl_config *config, uint16_t first_seq, uint32_t now);
/* The line is new, as after a TCP connection: what was half received or half sent is forgotten, and the node is back at HELLO. */
void pl_reconnected(pl_node *node, uint32_t now);

/*
 * Hands in bytes that have arrived, and gives how many were taken. Fewer than given: an answer waits to be sent; take it with
 * pl_transmit and hand in the rest.
 */
size_t pl_receive(pl_node *node, const uint8_t *bytes, size_t length, uint32_t now);
/* Takes up to `capacity` bytes to send, and gives how many. */
size_t pl_transmit(pl_node *node, uint8_t *bytes, size_t capacity);
/* Does what is due: HELLO, PING, reports. To be called at least every 50 ms, and after anything was received or has changed. */
void pl_tick(pl_node *node, uint32_t now);

/* The value of a property with PL_READ and PL_NOTIFY has changed, other than by the write that asks for it just now (P1). It is read
   when it is reported, in pl_tick or pl_receive; so this can be called from anywhere, your own `read` too. Others are left alone. */
void pl_changed(pl_node *node, pl_address address);
/* Something has happened that cannot be read, as a press of a button: of a property with PL_NOTIFY and without PL_READ. A text must
   stay where it is (a constant does). What cannot be sent is left out (pl_counters.values). */
void pl_event(pl_node *node, pl_address address, const pl_value *value);
/* A device of a bridge comes or goes (V1, V2). One whose description has changed goes and comes back. */
void pl_present(pl_node *node, uint8_t place, bool is_present);

/* Whether a hub has acknowledged the node and is still heard. */
bool pl_is_live(const pl_node *node);

#ifdef __cplusplus
}
#endif
#endif
