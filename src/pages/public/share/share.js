// Uploads documents one after another, and resumes automatically after a lost connection. After an upload, the <main> of the
// page is fetched again, so that the server alone determines how the order is shown.

const root = document.documentElement;
root.classList.add("sends");

const mostBytes = 25 * 1024 * 1024;
/** Milliseconds without progress after which the connection counts as lost. */
const patience = 45_000;
const neverTaken = /^(?:audio|video|font)\/|^image\/(?:hei[cf]|avif|gif|bmp)/;
const neverTakenNames = /\.(?:hei[cf]|avif|gif|bmp|zip|rar|7z|gz|exe|apk|dmg|mp4|mov|m4a|mp3|pptx?|doc)$/i;

const uploads = [];
const watched = new WeakSet();
let sending;
let words;

document.addEventListener("DOMContentLoaded", () => {
  words = JSON.parse(document.body.dataset.words);
  if (/[?&](?:sent|known)=/.test(location.search)) history.replaceState(null, "", address());
  document.querySelectorAll("form").forEach(watch);
});
addEventListener("online", () => sending?.again?.());
addEventListener("beforeunload", (event) => {
  if (uploads.some(isOpen)) event.preventDefault();
});

/** Returns the URL of this page without the result of a form. */
function address() {
  const language = new URLSearchParams(location.search).get("lang");
  return location.pathname + (language ? `?lang=${encodeURIComponent(language)}` : "");
}

const isOpen = ({ state }) => state === "waiting" || state === "sending";

function watch(form) {
  if (watched.has(form)) return;
  watched.add(form);
  for (const input of form.querySelectorAll("input[type=file]"))
    input.addEventListener("change", () => {
      const files = [...input.files];
      if (files.length === 0) return;
      form.querySelector(".refused")?.remove();
      for (const file of files) add(form, file);
      input.value = "";
      if (form.elements.comment) form.elements.comment.value = "";
      next();
    });
}

/** Adds a file to the list of its form, or shows at once why it cannot be sent. */
function add(form, file) {
  const { documentType, comment } = form.elements;
  const row = document.getElementById("upload-row").content.firstElementChild.cloneNode(true);
  const upload = {
    file,
    row,
    form,
    type: documentType.value,
    comment: comment?.value ?? "",
    state: "waiting",
    tries: 0,
  };
  row.querySelector(".file-name").textContent = file.name;
  row.querySelector("progress").setAttribute("aria-label", file.name);
  row.querySelector(".away").addEventListener("click", () => remove(upload));
  row.querySelector(".again").addEventListener("click", () => upload.again?.());
  preview(file, row.querySelector(".preview"));
  form.querySelector(".uploads").append(row);
  uploads.push(upload);
  const reason = refusalOf(file);
  if (reason) fail(upload, reason);
}

function refusalOf({ name, size, type }) {
  if (size === 0) return "file_empty";
  if (size > mostBytes) return "payload_too_large";
  return neverTaken.test(type) || neverTakenNames.test(name) ? "unsupported_file_type" : undefined;
}

function preview(file, image) {
  if (!/^image\/(?:jpeg|png|webp)$/.test(file.type)) return;
  image.addEventListener("load", () => URL.revokeObjectURL(image.src));
  image.addEventListener("error", () => image.remove());
  image.src = URL.createObjectURL(file);
  image.hidden = false;
}

function next() {
  if (sending) return;
  sending = uploads.find(({ state }) => state === "waiting");
  if (sending) send(sending);
  else if (uploads.some(({ state }) => state === "done")) void refresh();
}

/** Ends an upload, successfully or not. */
function settle(upload, state, text) {
  clearTimeout(upload.timer);
  upload.again = undefined;
  show(upload, state, text);
  tell(upload, text);
  if (sending !== upload) return;
  sending = undefined;
  next();
}

function fail(upload, reason) {
  settle(upload, "failed", words.problem[reason] ?? words.problem.validation_failed);
  if (reason !== "internal_error") return;
  upload.again = () => retry(upload);
  again(upload, true);
}

function retry(upload) {
  Object.assign(upload, { tries: 0, again: undefined });
  show(upload, "waiting", words.upload.waiting);
  next();
}

function send(upload) {
  const { file, type, comment } = upload;
  const body = new FormData();
  body.append("documentType", type);
  if (comment) body.append("comment", comment);
  body.append("file", file);
  const request = new XMLHttpRequest();
  upload.request = request;
  upload.again = undefined;
  const wait = () => {
    clearTimeout(upload.timer);
    upload.timer = setTimeout(() => request.abort(), patience);
  };
  request.open("POST", address());
  request.setRequestHeader("Accept", "application/json");
  request.upload.addEventListener("progress", ({ loaded, total }) => (wait(), progress(upload, loaded / total)));
  request.addEventListener("load", () => answered(upload, request));
  request.addEventListener("error", () => void lost(upload));
  request.addEventListener("abort", () => void (upload.state === "sending" && lost(upload)));
  show(upload, "sending", words.upload.sending);
  if (upload.tries === 0) tell(upload, words.upload.sending);
  wait();
  request.send(body);
}

function progress(upload, share) {
  const percent = new Intl.NumberFormat(root.lang, { style: "percent" }).format(share);
  upload.row.querySelector("progress").value = share;
  show(upload, "sending", share < 1 ? `${words.upload.sending} ${percent}` : words.upload.checking);
}

function answered(upload, request) {
  clearTimeout(upload.timer);
  const { status } = request;
  const answer = parsed(request.responseText);
  const [paper] = answer?.documents ?? [];
  // A known document that is not on the page was received before, and only its response was lost.
  const listed = paper?.known && document.getElementById(`file-${paper.documentId}`);
  if (paper) settle(upload, listed ? "known" : "done", listed ? words.upload.known : received(paper));
  else if (status === 404 || answer?.currentStatus === "Cancelled") gone(upload);
  else if (status !== 429 && status < 500) fail(upload, answer?.errorCode);
  else if (status >= 500 && upload.tries >= 4) fail(upload, "internal_error");
  else later(upload, words.upload.busy, Number(request.getResponseHeader("Retry-After")));
}

/**
 * Returns the text after an upload. It contains advice about the quality, because the carrier still has the document at
 * hand.
 */
const received = ({ quality }) =>
  quality && quality.verdict !== "Good" ? `${words.upload.done}. ${quality.advice}` : words.upload.done;

/** Handles a link that no longer works. Uploads stop, and the page shows the reason. */
function gone(upload) {
  for (const other of uploads.filter(isOpen)) if (other !== upload) show(other, "failed", words.problem.invalid_state);
  settle(upload, "failed", words.problem.invalid_state);
  void refresh();
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Handles a failed request. The connection was lost, or the file was removed from the device. Reading the file shows which of
 * the two happened.
 */
async function lost(upload) {
  clearTimeout(upload.timer);
  const readable = await upload.file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
  if (upload.state !== "sending") return;
  if (!readable) fail(upload, "file_unreadable");
  else later(upload, navigator.onLine ? words.upload.lost : words.upload.offline);
}

function later(upload, text, seconds = 0) {
  upload.tries += 1;
  clearTimeout(upload.timer);
  upload.again = () => send(upload);
  upload.row.querySelector("progress").value = 0;
  show(upload, "sending", text);
  again(upload, true);
  tell(upload, text);
  upload.timer = setTimeout(() => send(upload), Math.max(seconds, Math.min(30, 2 ** (upload.tries - 1))) * 1000);
}

function remove(upload) {
  const { row, form, request } = upload;
  const others = form.querySelectorAll(".away");
  const index = [...others].indexOf(row.querySelector(".away"));
  upload.state = "removed";
  uploads.splice(uploads.indexOf(upload), 1);
  clearTimeout(upload.timer);
  request?.abort();
  (others[index + 1] ?? others[index - 1] ?? form.querySelector(".picker:last-of-type input")).focus();
  row.remove();
  if (sending !== upload) return;
  sending = undefined;
  next();
}

function show(upload, state, text) {
  upload.state = state;
  upload.row.dataset.state = state;
  upload.row.querySelector(".outcome").textContent = text;
  again(upload, false);
  upload.row.querySelector(".away").hidden = state === "done";
  if (state === "done") upload.row.querySelector("progress").value = 1;
}

function again({ row }, offered) {
  const button = row.querySelector(".again");
  const focused = document.activeElement === button;
  button.hidden = !offered;
  if (focused && !offered) row.querySelector(".away").focus();
}

const tell = ({ file }, text) => void (document.getElementById("announcement").textContent = `${file.name}: ${text}`);

/** Replaces the order by its current state. After an error it tries again, at most eight times. */
async function refresh(tries = 0) {
  try {
    const response = await fetch(address(), { headers: { Accept: "text/html" } });
    if (response.status === 429 || response.status >= 500) throw new Error("busy");
    replace(new DOMParser().parseFromString(await response.text(), "text/html"));
  } catch {
    if (tries < 8) setTimeout(() => void refresh(tries + 1), Math.min(30, 2 ** tries) * 1000);
  }
}

/** Replaces `<main>`, but keeps the focus and the forms with their input and running uploads. */
function replace(fresh) {
  const [old, main] = [document.querySelector("main"), fresh.querySelector("main")];
  const focused = document.activeElement;
  for (const upload of uploads.filter(({ state }) => state === "done")) forget(upload);
  for (const form of old.querySelectorAll("form")) main.querySelector(`#${form.id}`)?.replaceWith(form);
  for (const details of old.querySelectorAll("details[open]"))
    main.querySelector(`#${details.id}`)?.setAttribute("open", "");
  for (const row of main.querySelectorAll(".upload")) row.closest("details")?.setAttribute("open", "");
  for (const upload of uploads.filter(({ row }) => !main.contains(row))) forget(upload);
  old.replaceWith(main);
  document.title = fresh.title;
  main.querySelectorAll("form").forEach(watch);
  if (focused !== document.body) focusAgain(focused, main);
  next();
}

/** Restores the focus to the same element, otherwise to the one in its position. */
function focusAgain(element, main) {
  const kept = document.contains(element) ? element : element.id && document.getElementById(element.id);
  const folded = kept && kept.closest("details:not([open])");
  (folded ? folded.querySelector("summary") : kept || main).focus({ preventScroll: true });
}

function forget(upload) {
  upload.row.remove();
  clearTimeout(upload.timer);
  uploads.splice(uploads.indexOf(upload), 1);
  if (sending === upload) sending = undefined;
}
