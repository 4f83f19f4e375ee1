import * as z from "zod";
import { commandsOn } from "../../platform/command.ts";
import { operationsOn } from "../../http/operation.ts";
import { localCompany, type Company } from "../companies/model.ts";
import { profileExample } from "./examples.ts";
import { MappingProfile, MappingProfileView } from "./profile-shapes.ts";

// The profile is part of its company's state.

export const profileEvents = {};

const { get, put, del } = operationsOn<Company, typeof profileEvents>({ binding: "COMPANIES", scope: "freights" });

const path = "/api/v1/mapping-profiles/opportunities";
const empty = MappingProfile.parse({});

export const profileCommands = commandsOn<Company, typeof profileEvents>(
  "COMPANIES",
  "mappingProfiles",
)({
  /** The profile that requests for quotes are mapped by, if the company has one. */
  opportunities: (company) => ({ reply: { profile: company?.opportunityProfile } }),
});

const { configured: _, ...inputExample } = profileExample;

export const profileOperations = {
  readOpportunities: get(path, {
    summary: "Read how requests for quotes are mapped",
    description: "A company that has said nothing has an empty profile, with `configured` false.",
    ok: MappingProfileView,
    example: { reply: profileExample },
    decide: (company) => {
      const profile = company?.opportunityProfile;
      return { reply: { configured: profile !== undefined, ...(profile ?? empty) } };
    },
  }),

  replaceOpportunities: put(path, {
    summary: "Say how requests for quotes are mapped",
    description:
      "What `GET /api/v1/opportunities/{opportunityId}/custom` answers: fields under other names (`renames`), fields that are always the same (`constants`), your own ids for values (`ids`) and your form of dates (`dateFormat`). Values are mapped first, then moved, then constants are set.",
    body: MappingProfile,
    ok: MappingProfileView,
    example: { body: inputExample, reply: profileExample },
    decide: (company, { body }, { at }) => ({
      state: { ...(company ?? localCompany(at)), opportunityProfile: body },
      reply: { configured: true, ...body },
    }),
  }),

  removeOpportunities: del(path, {
    summary: "Map requests for quotes no more",
    description: "Again: 204 again.",
    ok: z.object({}),
    status: 204,
    decide(company) {
      if (!company?.opportunityProfile) return { reply: {} };
      const { opportunityProfile: _gone, ...rest } = company;
      return { state: rest, reply: {} };
    },
  }),
};
