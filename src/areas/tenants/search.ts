import { everyone, type ArchiveRow } from "../../platform/archive/archive.ts";
import { exact, searchable, words } from "../../platform/archive/searchable.ts";
import { choice } from "../../domain/shapes.ts";
import { companyStatuses, type Company } from "../companies/model.ts";
import { viewOf, type TenantView } from "./model.ts";

export const search = searchable<TenantView, TenantView>()({
  table: "companies",
  sort: ["createdAt", "updatedAt"],
  fields: {
    status: exact(choice(companyStatuses).optional(), ({ status }) => status),
    text: words("Words of its names; each matches the beginning of a word."),
  },
  text: ({ name, otherNames = [] }) => [name, ...otherNames],
});

/** Builds the archive row of a company, which only the operator lists. */
export function companyRow(company: Company, _: string, id: string): ArchiveRow {
  const view = viewOf(company, id);
  return search.row(view, { id, company: everyone, createdAt: view.createdAt, updatedAt: view.updatedAt, view });
}
