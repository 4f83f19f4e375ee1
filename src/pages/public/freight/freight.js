// Shows changes of the offer without reloading, and times in the visitor's time zone. The page also works without this script.

const root = document.documentElement;
/** Seconds between polls while the page is visible. */
const everySeconds = 15;

let shown;
let timer;
let isSending = false;

document.addEventListener("DOMContentLoaded", () => {
  const main = document.querySelector("main");
  shown = main.innerHTML;
  localTimes(main);
  if (main.classList.contains("freight")) wait();
});
document.addEventListener("visibilitychange", () => void (document.hidden || refresh()));
document.addEventListener("submit", (event) => {
  if (isSending) return event.preventDefault();
  isSending = true;
});
// After the visitor goes back in the history, the form can be sent again.
addEventListener("pageshow", () => (isSending = false));

function localTimes(main) {
  const own = navigator.languages.find((language) => language.split("-")[0] === root.lang);
  const clock = new Intl.DateTimeFormat(own ?? root.lang, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  for (const time of main.querySelectorAll("time")) time.textContent = clock.format(new Date(time.dateTime));
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), everySeconds * 1000);
}

/** Whether the page must not be replaced now: a form is being filled in or sent, or the page is hidden. */
const isBusy = () => isSending || document.hidden || isFilling(document.querySelector("main"));

const isFilling = (main) =>
  main.querySelector("details[open], [aria-invalid]") !== null ||
  [...main.querySelectorAll("input:not([type=hidden]), textarea")].some(
    (field) => field.value !== field.defaultValue || field === document.activeElement,
  );

async function refresh() {
  if (!document.querySelector("main.freight")) return;
  try {
    const fresh = isBusy() ? undefined : await fetched();
    if (fresh && !isBusy()) replace(fresh);
  } catch {
    // Ignored: the next poll tries again.
  }
  wait();
}

async function fetched() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (response.status === 429 || response.status >= 500) return undefined;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

function replace(fresh) {
  const [old, main] = [document.querySelector("main"), fresh.querySelector("main")];
  const notice = old.querySelector(".notice");
  if (main.innerHTML === withoutNotice()) return;
  const hadFocus = old.contains(document.activeElement);
  shown = main.innerHTML;
  notice?.remove();
  old.replaceWith(main);
  document.title = fresh.title;
  localTimes(main);
  if (hadFocus) main.focus({ preventScroll: true });
  tell(main);
}

/** Returns the page as it was received, without the notice about a form. */
function withoutNotice() {
  const page = new DOMParser().parseFromString(`<main>${shown}</main>`, "text/html");
  page.querySelector(".notice")?.remove();
  return page.querySelector("main").innerHTML;
}

/** Announces the status of the offer to screen readers. */
function tell(main) {
  const status = main.querySelector(".summary") ?? main.querySelector("h1");
  document.getElementById("announcement").textContent = status?.textContent.trim() ?? "";
}
