/*
 * A lamp on a board without an operating system: the MPS2 board with a Cortex-M3 (AN385), which QEMU emulates.
 *
 *   arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -std=c99 -nostartfiles -I firmware -T firmware/examples/mps2/board.ld \
 *       -o lamp.elf firmware/examples/mps2/lamp.c firmware/porchlight.c
 *   qemu-system-arm -M mps2-an385 -display none -monitor none -kernel lamp.elf -serial PORT [-serial pipe:hand]
 *
 * The first UART is the line to the hub. What comes on the second is a hand: p presses the button, t turns the switch. The board has
 * neither a counter in flash nor noise, so that it says boot 0 (M6).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "porchlight.h"

/* The board: two UARTs (CMSDK), the processor's timer, and the table of its interrupts. */
typedef struct {
  volatile uint32_t data, state, control, interrupts, divider;
} uart;
#define LINE ((uart *)0x40004000)
#define HAND ((uart *)0x40005000)
#define SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014)
#define INTERRUPTS_ON (*(volatile uint32_t *)0xE000E100)
enum { CLOCK_HZ = 25000000, BAUD = 115200, UART_SENDS = 1, UART_RECEIVES = 2, UART_TELLS_RECEIVED = 8 };
enum { STATE_SENDING = 1, STATE_RECEIVED = 2, RECEIVED = 2, LINE_RECEIVED = 0, HAND_RECEIVED = 2 };

extern uint32_t data_begin, data_end, data_stored, zeros_begin, zeros_end, stack_end;

/* What has arrived and was not yet taken: written by an interrupt, read by the loop. */
typedef struct {
  volatile uint8_t bytes[256];
  volatile uint8_t head, tail;
} ring;
static ring line_ring, hand_ring;
static volatile uint32_t milliseconds;

static void received(uart *from, ring *into) {
  from->interrupts = RECEIVED;
  while (from->state & STATE_RECEIVED) {
    into->bytes[into->head] = (uint8_t)from->data;
    into->head++;
  }
}

static void line_received(void) { received(LINE, &line_ring); }
static void hand_received(void) { received(HAND, &hand_ring); }
static void ticked(void) { milliseconds++; }

static void begin(uart *it) {
  it->divider = CLOCK_HZ / BAUD;
  it->control = UART_SENDS | UART_RECEIVES | UART_TELLS_RECEIVED;
}

static void send(uint8_t byte) {
  while (LINE->state & STATE_SENDING) continue;
  LINE->data = byte;
}

/* The lamp: what it is, */
static const pl_property switch_properties[] = {PL_STANDARD("on", PL_BOOLEAN, PL_READ | PL_WRITE | PL_NOTIFY)};
static const pl_property level_properties[] = {
    PL_STANDARD_RANGE("level", PL_NUMBER, PL_READ | PL_WRITE | PL_NOTIFY, 0, 100)};
static const pl_property button_properties[] = {PL_STANDARD("event", PL_TEXT, PL_NOTIFY)};
enum { SWITCH, LEVEL, BUTTON };
static const pl_service services[] = {
    {"Switch", 0, switch_properties, 1}, {"LightLevel", 0, level_properties, 1}, {"Button", 0, button_properties, 1}};
static const pl_about about = {"Porchlight", "MPS2 lamp", "1.0.0", NULL, NULL};
static const pl_device device = {"02-50-4C-00-0B-01", services, 3, &about};

/* and what it does. */
static bool is_on;
static double level = 100;

static uint8_t read_lamp(void *context, pl_address address, pl_value *value) {
  (void)context;
  if (address.service == SWITCH) {
    value->type = PL_BOOLEAN;
    value->as.boolean = is_on;
  } else {
    value->type = PL_NUMBER;
    value->as.number = level;
  }
  return PL_OK;
}

static uint8_t write_lamp(void *context, pl_address address, pl_value *value) {
  if (address.service == SWITCH) is_on = value->as.boolean;
  else level = value->as.number;
  return read_lamp(context, address, value);
}

static uint8_t identify_lamp(void *context, uint8_t place, uint32_t seconds) {
  (void)context, (void)place, (void)seconds;
  return PL_OK;
}

static void moved(pl_node *node, uint8_t key) {
  static const pl_value press = {PL_TEXT, {.text = {"press", 5}}};
  pl_address const button = {0, BUTTON, 0}, on = {0, SWITCH, 0};
  if (key == 'p') pl_event(node, button, &press);
  if (key == 't') {
    is_on = !is_on;
    pl_changed(node, on);
  }
}

static void send_all(pl_node *node) {
  uint8_t byte;
  while (pl_transmit(node, &byte, 1) == 1) send(byte);
}

int main(void) {
  static const pl_driver driver = {read_lamp, write_lamp, identify_lamp};
  static const pl_config config = {"02-50-4C-00-0B-01", &about, &device, 1, 0, &driver, NULL};
  static pl_node node;
  SYSTICK_RELOAD = CLOCK_HZ / 1000 - 1;
  SYSTICK_CONTROL = 7;
  begin(LINE);
  begin(HAND);
  INTERRUPTS_ON = 1u << LINE_RECEIVED | 1u << HAND_RECEIVED;
  if (pl_start(&node, &config, 0, milliseconds) != PL_STARTED) return 1;
  for (;;) {
    while (line_ring.tail != line_ring.head) {
      uint8_t const byte = line_ring.bytes[line_ring.tail];
      if (pl_receive(&node, &byte, 1, milliseconds) == 1) line_ring.tail++;
      send_all(&node);
    }
    while (hand_ring.tail != hand_ring.head) moved(&node, hand_ring.bytes[hand_ring.tail++]);
    pl_tick(&node, milliseconds);
    send_all(&node);
    __asm__ volatile("wfi");
  }
}

/* From reset: memory as C wants it, then main. */
void reset(void);
void reset(void) {
  const uint32_t *from = &data_stored;
  for (uint32_t *to = &data_begin; to < &data_end;) *to++ = *from++;
  for (uint32_t *to = &zeros_begin; to < &zeros_end;) *to++ = 0;
  main();
  for (;;) continue;
}

static void stopped(void) {
  for (;;) continue;
}

/* Where the processor finds its stack, and what it calls: reset, faults, the timer, then the interrupts of the board. */
typedef struct {
  uint32_t *stack;
  void (*calls[18])(void);
} table;
__attribute__((section(".vectors"), used)) static const table vectors = {
    &stack_end,
    {reset, stopped, stopped, stopped, stopped, stopped, 0, 0, 0, 0, stopped, stopped, 0, stopped, ticked, line_received, stopped,
     hand_received}};
