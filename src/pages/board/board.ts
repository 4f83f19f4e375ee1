import { askForLink, boardFreight } from "../../areas/freights/board/anonymous-visitor.ts";
import { BoardQuery, searchBoard } from "../../areas/freights/board/board.ts";
import { drain, readFields } from "../../http/body.ts";
import { addressOf } from "../../http/responses.ts";
import { idIn } from "../../platform/ids.ts";
import { sendsMail } from "../../platform/mail.ts";
import { itemsOf, Problem } from "../../platform/problem.ts";
import { networkOf } from "../../platform/network.ts";
import { spendOnMail } from "../../http/rate-limit.ts";
import type { Visit } from "../../http/router.ts";
import { messageOf, sentOf } from "../freight/answers.ts";
import { titleOf } from "../freight/head.ts";
import { type FreightLanguage, formatMessage, requestedLanguage } from "../../i18n/language.ts";
import { noteMain, pageAnswer, problemOf, refuseOtherSites } from "../frame/answers.ts";
import type { Markup } from "../html.ts";
import { addressIn, boardView, type BoardPage } from "./board-view.ts";
import { Asking, itemView, type Asked } from "./item-view.ts";
import { queryOf } from "./query.ts";
import { spendOnBoard } from "./visitor.ts";
import { wishOf } from "./wish.ts";

const files = { scripts: [], styles: ["/frame/frame.css", "/freight/freight.css", "/board/board.css"] };

/** Whether a path is a page of the board; its feeds are not. */
export const isBoard = (pathname: string) => /^\/board(?:\/[0-9a-fA-F-]{36})?$/.test(pathname);

/** A request to the board. */
interface Passer extends Visit {
  freightId?: string | undefined;
  language: FreightLanguage;
}

/** The public board: a search, and a page for each freight on which a visitor can request a link. */
export async function boardPage(visit: Visit): Promise<Response> {
  const { request, url, requestId, env } = visit;
  const freightId = url.pathname.split("/")[2];
  const passer: Passer = { ...visit, freightId, language: requestedLanguage("freightPages", url, request) };
  const response = await answer(passer, visit)
    .catch((error: unknown) => refusal(passer, problemOf("board", visit, error)))
    .catch((error: unknown) =>
      problemOf("board", visit, error).toResponse(url.pathname, requestId, addressOf(request, env)),
    );
  await drain(request);
  response.headers.set("referrer-policy", "no-referrer");
  response.headers.set("x-content-type-options", "nosniff");
  return request.method === "HEAD" ? new Response(null, response) : response;
}

async function answer(passer: Passer, visit: Visit): Promise<Response> {
  const { request, freightId } = passer;
  const methods = freightId === undefined ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"];
  if (!methods.includes(request.method))
    throw new Problem("method_not_allowed", undefined, { headers: { allow: methods.join(", ") } });
  spendOnBoard(request);
  visit.operation = freightId === undefined ? "board.search" : request.method === "POST" ? "board.ask" : "board.read";
  if (freightId === undefined) return searched(passer);
  return request.method === "POST" ? ask(passer, freightId) : itemPage(passer, freightId);
}

async function searched(passer: Passer): Promise<Response> {
  const { env, url, language } = passer;
  const wish = wishOf(url);
  const problems = language.words.problem;
  const query = await queryOf(env, wish);
  if (typeof query === "string") return shown(400, { refused: language.words.board[query] });
  const read = BoardQuery.safeParse(query);
  if (!read.success) return shown(400, { refused: problems.validation_failed });
  return shown(200, { found: await searchBoard(env, read.data) });

  function shown(status: number, more: Pick<BoardPage, "found" | "refused">) {
    const { cursor: _, sort: __, limit: ___, ...kept } = typeof query === "object" ? query : {};
    const feeds = [
      { type: "application/json", name: "JSON", href: addressIn("/board/freights.json", kept) },
      { type: "application/rss+xml", name: "RSS", href: addressIn("/board/feed.rss", kept) },
    ];
    const main = boardView({ language, wish, feeds, ...more });
    return page(passer, status, language.words.board.title, main, { feeds });
  }
}

async function itemPage(passer: Passer, named: string, asked?: Asked, status = 200): Promise<Response> {
  const { env, language } = passer;
  const freightId = idIn(named);
  const freight = freightId && (await boardFreight(env, freightId));
  if (!freight) throw new Problem("not_found");
  const main = itemView({ freight, language, mayAsk: sendsMail(env), ...asked });
  return page(passer, status, `${titleOf(freight)} · ${language.words.board.title}`, main);
}

/** Handles the request for a link. The response does not reveal whether one was sent. */
async function ask(passer: Passer, named: string): Promise<Response> {
  const { request, env, language } = passer;
  refuseOtherSites(request);
  const freightId = idIn(named);
  if (!freightId || !sendsMail(env)) throw new Problem("not_found");
  const fields = await readFields(request);
  const { board, problem: problems } = language.words;
  try {
    const { name, email } = readAsking(fields);
    spendOnMail({ visitor: networkOf(request), address: email.toLowerCase(), freight: freightId });
    await askForLink(env, freightId, { name, email, language: language.code }, addressOf(request, env));
    const way = { href: `/board${languageQuery(language)}`, text: board.all };
    const main = noteMain("good", board.sentTitle, formatMessage(board.sentText, { email }), { way });
    return page(passer, 200, board.sentTitle, main);
  } catch (error) {
    const problem = problemOf("board", passer, error);
    const sent = { ...sentOf(fields, problem, problems), form: "ask" };
    return itemPage(passer, freightId, { sent }, problem.status);
  }
}

function readAsking(fields: Record<string, string>) {
  const said = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
  const result = Asking.safeParse(said, { reportInput: true });
  if (!result.success) throw new Problem("validation_failed", undefined, { errors: itemsOf(result.error) });
  return result.data;
}

const languageQuery = ({ chosen, code }: FreightLanguage) => (chosen ? `?lang=${code}` : "");

function refusal(passer: Passer, problem: Problem): Response | Promise<Response> {
  const { request, env, requestId, url, language } = passer;
  if (problem.reason === "method_not_allowed")
    return problem.toResponse(url.pathname, requestId, addressOf(request, env));
  const { gone, broken, board, problem: problems } = language.words;
  const way = { href: `/board${languageQuery(language)}`, text: board.all };
  if (problem.reason === "not_found")
    return page(passer, 404, gone.title, noteMain("away", gone.title, gone.text, { way }));
  const main = noteMain("bad", broken.title, messageOf(problem, problems), { way });
  return page(passer, problem.status, broken.title, main, {}, problem.headers);
}

function page(
  passer: Passer,
  status: number,
  title: string,
  main: Markup,
  more: { feeds?: { type: string; href: string }[] } = {},
  headers?: Record<string, string>,
) {
  const { language } = passer;
  const content = { title, main, language, files };
  return pageAnswer(passer, status, { ...content, ...more }, headers);
}
