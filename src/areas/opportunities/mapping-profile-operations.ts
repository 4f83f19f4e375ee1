import * as z from "zod";
import { commandsOn } from "../../platform/command.ts";
import { operationsOn } from "../../http/operation.ts";
import { localCompany, type Company } from "../companies/model.ts";
import { profileExample } from "./examples.ts";
import { MappingProfile, MappingProfileView } from "./mapping-profile.ts";

// Mapping profiles are part of the state of the company.

export const profileEvents = {};

const { get, put, del } = operationsOn<Company, typeof profileEvents>({ binding: "COMPANIES", scope: "freights" });

const path = "/api/v1/mapping-profiles/opportunities";
const empty = MappingProfile.parse({});

export const profileCommands = commandsOn<Company, typeof profileEvents>(
  "COMPANIES",
  "mappingProfiles",
)({
  opportunities: (company) => ({ reply: { profile: company?.opportunityProfile } }),
});

const { configured: _, ...inputExample } = profileExample;

export const profileOperations = {
  readOpportunities: get(path, {
    summary: "Read the mapping profile for requests for quotes",
    description: "Without a profile, returns an empty one with `configured` false.",
    ok: MappingProfileView,
    example: { reply: profileExample },
    decide: (company) => {
      const profile = company?.opportunityProfile;
      return { reply: { configured: profile !== undefined, ...(profile ?? empty) } };
    },
  }),

  replaceOpportunities: put(path, {
    summary: "Replace the mapping profile for requests for quotes",
    description:
      "Sets the format of the responses of `GET /api/v1/opportunities/{opportunityId}/custom`: new names for fields (`renames`), fixed values (`constants`), your ids for values (`ids`) and a date format (`dateFormat`). Values are converted first, then fields are renamed, then constants are set.",
    body: MappingProfile,
    ok: MappingProfileView,
    example: { body: inputExample, reply: profileExample },
    decide: (company, { body }, { at }) => ({
      state: { ...(company ?? localCompany(at)), opportunityProfile: body },
      reply: { configured: true, ...body },
    }),
  }),

  removeOpportunities: del(path, {
    summary: "Delete the mapping profile for requests for quotes",
    description: "Deleting it again returns 204.",
    ok: z.object({}),
    status: 204,
    decide(company) {
      if (!company?.opportunityProfile) return { reply: {} };
      const { opportunityProfile: _, ...rest } = company;
      return { state: rest, reply: {} };
    },
  }),
};
