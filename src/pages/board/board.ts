import { requestGuestLink, boardFreight } from "../../areas/freights/board/anonymous-visitor.ts";
import { BoardQuery, searchBoard } from "../../areas/freights/board/board.ts";
import { drain, readFields } from "../../http/body.ts";
import { addressOf } from "../../http/responses.ts";
import { idIn } from "../../platform/ids.ts";
import { canSendMail } from "../../platform/mail.ts";
import { itemsOf, Problem } from "../../platform/problem.ts";
import { networkOf, takeBoardToken, takeMailTokens } from "../../http/rate-limit.ts";
import type { RequestState } from "../../http/router.ts";
import { messageOf, formStateOf } from "../freight/form-input.ts";
import { titleOf } from "../freight/head.ts";
import { type FreightLanguage, formatMessage, requestedLanguage } from "../../i18n/language.ts";
import { messageMain, pageResponse, problemOf, refuseCrossSiteForm } from "../frame/response.ts";
import type { Markup } from "../html.ts";
import { addressWith, boardView, type BoardPage } from "./board-view.ts";
import { LinkRequest, itemView, type LinkRequestState } from "./item-view.ts";
import { queryOf } from "./search-query.ts";
import { readSearchFields } from "./search-fields.ts";

const files = { scripts: [], styles: ["/frame/frame.css", "/freight/freight.css", "/board/board.css"] };

/** Whether a path is an HTML page of the board, and not one of its feeds. */
export const isBoard = (pathname: string) => /^\/board(?:\/[0-9a-fA-F-]{36})?$/.test(pathname);

interface BoardVisit extends RequestState {
  freightId?: string | undefined;
  language: FreightLanguage;
}

/** Serves the public board: a search page, and a page for each freight, on which visitors can request a link. */
export async function boardPage(visit: RequestState): Promise<Response> {
  const { request, url, requestId, env } = visit;
  const freightId = url.pathname.split("/")[2];
  const boardVisit: BoardVisit = { ...visit, freightId, language: requestedLanguage("freightPages", url, request) };
  const response = await respond(boardVisit, visit)
    .catch((error: unknown) => refusal(boardVisit, problemOf("board", visit, error)))
    .catch((error: unknown) =>
      problemOf("board", visit, error).toResponse(url.pathname, requestId, addressOf(request, env)),
    );
  await drain(request);
  response.headers.set("referrer-policy", "no-referrer");
  response.headers.set("x-content-type-options", "nosniff");
  return request.method === "HEAD" ? new Response(null, response) : response;
}

async function respond(boardVisit: BoardVisit, visit: RequestState): Promise<Response> {
  const { request, freightId } = boardVisit;
  const methods = freightId === undefined ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"];
  if (!methods.includes(request.method))
    throw new Problem("method_not_allowed", undefined, { headers: { allow: methods.join(", ") } });
  takeBoardToken(request);
  visit.operation = freightId === undefined ? "board.search" : request.method === "POST" ? "board.ask" : "board.read";
  if (freightId === undefined) return searchPage(boardVisit);
  return request.method === "POST" ? requestLink(boardVisit, freightId) : itemPage(boardVisit, freightId);
}

async function searchPage(visit: BoardVisit): Promise<Response> {
  const { env, url, language } = visit;
  const search = readSearchFields(url);
  const problems = language.words.problem;
  const query = await queryOf(env, search);
  if (typeof query === "string") return shown(400, { refused: language.words.board[query] });
  const read = BoardQuery.safeParse(query);
  if (!read.success) return shown(400, { refused: problems.validation_failed });
  return shown(200, { results: await searchBoard(env, read.data) });

  function shown(status: number, more: Pick<BoardPage, "results" | "refused">) {
    const { cursor: _, sort: __, limit: ___, ...kept } = typeof query === "object" ? query : {};
    const feeds = [
      { type: "application/json", name: "JSON", href: addressWith("/board/freights.json", kept) },
      { type: "application/rss+xml", name: "RSS", href: addressWith("/board/feed.rss", kept) },
    ];
    const main = boardView({ language, search, feeds, ...more });
    return page(visit, status, language.words.board.title, main, { feeds });
  }
}

async function itemPage(visit: BoardVisit, named: string, asked?: LinkRequestState, status = 200): Promise<Response> {
  const { env, language } = visit;
  const freightId = idIn(named);
  const freight = freightId && (await boardFreight(env, freightId));
  if (!freight) throw new Problem("not_found");
  const main = itemView({ freight, language, canRequestLink: canSendMail(env), ...asked });
  return page(visit, status, `${titleOf(freight)} · ${language.words.board.title}`, main);
}

/** The response does not reveal whether a link was sent. */
async function requestLink(visit: BoardVisit, named: string): Promise<Response> {
  const { request, env, language } = visit;
  refuseCrossSiteForm(request);
  const freightId = idIn(named);
  if (!freightId || !canSendMail(env)) throw new Problem("not_found");
  const fields = await readFields(request);
  const { board, problem: problems } = language.words;
  try {
    const { name, email } = parseLinkRequest(fields);
    takeMailTokens({ visitor: networkOf(request), address: email.toLowerCase(), freight: freightId });
    await requestGuestLink(env, freightId, { name, email, language: language.code }, addressOf(request, env));
    const way = { href: `/board${languageQuery(language)}`, text: board.all };
    const main = messageMain("good", board.sentTitle, formatMessage(board.sentText, { email }), { way });
    return page(visit, 200, board.sentTitle, main);
  } catch (error) {
    const problem = problemOf("board", visit, error);
    const sent = { ...formStateOf(fields, problem, problems), form: "ask" };
    return itemPage(visit, freightId, { sent }, problem.status);
  }
}

function parseLinkRequest(fields: Record<string, string>) {
  const filledFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
  const result = LinkRequest.safeParse(filledFields, { reportInput: true });
  if (!result.success) throw new Problem("validation_failed", undefined, { errors: itemsOf(result.error) });
  return result.data;
}

const languageQuery = ({ chosen, code }: FreightLanguage) => (chosen ? `?lang=${code}` : "");

function refusal(visit: BoardVisit, problem: Problem): Response | Promise<Response> {
  const { request, env, requestId, url, language } = visit;
  if (problem.reason === "method_not_allowed")
    return problem.toResponse(url.pathname, requestId, addressOf(request, env));
  const { gone, broken, board, problem: problems } = language.words;
  const way = { href: `/board${languageQuery(language)}`, text: board.all };
  if (problem.reason === "not_found")
    return page(visit, 404, gone.title, messageMain("away", gone.title, gone.text, { way }));
  const main = messageMain("bad", broken.title, messageOf(problem, problems), { way });
  return page(visit, problem.status, broken.title, main, {}, problem.headers);
}

function page(
  visit: BoardVisit,
  status: number,
  title: string,
  main: Markup,
  more: { feeds?: { type: string; href: string }[] } = {},
  headers?: Record<string, string>,
) {
  const { language } = visit;
  const content = { title, main, language, files };
  return pageResponse(visit, status, { ...content, ...more }, headers);
}
