import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Alarm, earliest } from "../../durable-objects/aggregate/alarm.ts";

// The alarm of an object is never set to a later time than the earliest due time.

const second = 1000;
/**
 * While an object is busy, its alarm is at most this many milliseconds ahead, because the call in progress may be
 * interrupted.
 */
const guard = 30 * second;

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 20) }));
afterEach(() => void vi.useRealTimers());

/** A simulated object with due times and an alarm, on a platform that fires alarms up to `delay` milliseconds late. */
class Sleeper {
  readonly due: number[] = [];
  isBusy = false;
  rings = 0;
  /** The longest delay of due work, in milliseconds. */
  latest = 0;
  lastRing = Date.now();
  private setTo: number | undefined;
  private readonly alarm = new Alarm(
    { getAlarm: async () => this.setTo ?? null, setAlarm: async (at) => void (this.setTo = Number(at)) },
    {
      due: () => earliest(...this.due, this.isBusy ? Date.now() + guard : undefined),
      failed: (error) => expect.unreachable(String(error)),
    },
  );
  private readonly delay: number;

  constructor(delay: number) {
    this.delay = delay;
  }

  touch = () => this.alarm.arm();

  async pass(milliseconds: number): Promise<void> {
    const end = Date.now() + milliseconds;
    while (this.setTo !== undefined && this.setTo + this.delay <= end) await this.ring();
    vi.setSystemTime(end);
  }

  private async ring(): Promise<void> {
    const scheduledTime = this.setTo!;
    vi.setSystemTime(Math.max(scheduledTime + this.delay, Date.now()));
    this.setTo = undefined;
    this.rings++;
    this.lastRing = Date.now();
    await this.alarm.fire({ scheduledTime } as AlarmInvocationInfo, async () => this.round());
  }

  private round(): void {
    for (const at of this.due.splice(0)) {
      if (at > Date.now()) this.due.push(at);
      else this.latest = Math.max(this.latest, Date.now() - at);
    }
  }
}

const steps = fc.array(
  fc.record({
    falls: fc.option(fc.integer({ min: -second, max: 90 * second }), { nil: undefined }),
    isBusy: fc.boolean(),
    passes: fc.integer({ min: 0, max: 40 * second }),
  }),
  { maxLength: 60 },
);

test("due work is done on time under any sequence of failures", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 0, max: 2 * second }), async (all, delay) => {
      const sleeper = new Sleeper(delay);
      for (const { falls, isBusy, passes } of all) {
        if (falls !== undefined) sleeper.due.push(Date.now() + falls);
        sleeper.isBusy = isBusy;
        await sleeper.touch();
        await sleeper.pass(passes);
      }
      await sleeper.pass(200 * second);
      expect(sleeper.due).toEqual([]);
      // Work that was already due when it was added waits for at most a second, plus the delay of the platform.
      expect(sleeper.latest).toBeLessThanOrEqual(second + delay + 2);
    }),
  );
});

test("an object that is touched repeatedly still gets its alarm", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 29 * second }),
      fc.integer({ min: 0, max: second }),
      async (gap, delay) => {
        const sleeper = new Sleeper(delay);
        sleeper.isBusy = true;
        for (let turn = 0; turn < 200; turn++) {
          await sleeper.touch();
          await sleeper.pass(gap);
          expect(Date.now() - sleeper.lastRing).toBeLessThanOrEqual(guard + gap + delay);
        }
      },
    ),
  );
});

test("an alarm that the platform has lost is set again", async () => {
  const sleeper = new Sleeper(0);
  sleeper.due.push(Date.now() + second);
  await sleeper.touch();
  vi.setSystemTime(Date.now() + 62 * second);
  await sleeper.touch();
  await sleeper.pass(second);
  expect([sleeper.rings, sleeper.due]).toEqual([1, []]);
});
