/**
 * The day that chat templates are told it is. Some write the date into the system turn; a clock
 * would change the prompts, and with them the scores, from one day to the next.
 */
export const PINNED_DATE = "2025-01-01";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const PARTS: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getUTCFullYear()),
  y: (date) => pad(date.getUTCFullYear() % 100),
  m: (date) => pad(date.getUTCMonth() + 1),
  B: (date) => MONTHS[date.getUTCMonth()] as string,
  b: (date) => (MONTHS[date.getUTCMonth()] as string).slice(0, 3),
  d: (date) => pad(date.getUTCDate()),
  A: (date) => DAYS[date.getUTCDay()] as string,
  a: (date) => (DAYS[date.getUTCDay()] as string).slice(0, 3),
  H: () => "00",
  M: () => "00",
  S: () => "00",
  "%": () => "%",
};

/** Python's strftime for the pinned date at midnight, in English; unknown parts stay as they are. */
export function formatPinnedDate(format: string): string {
  const date = new Date(`${PINNED_DATE}T00:00:00Z`);
  return format.replace(/%([a-zA-Z%])/g, (part, letter: string) => PARTS[letter]?.(date) ?? part);
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
