# cardgen in a box: `docker build --tag cardgen .`, then in a project
#
#     docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/game" cardgen build night-market
#
# Without a command it prints the jumbo cards of a game that comes with it.

FROM python:3.12-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN python -m pip wheel --no-cache-dir --disable-pip-version-check --constraint .ci/constraints.txt --wheel-dir /wheels .

FROM python:3.12-slim-bookworm
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libcairo2 libfreetype6 git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir --disable-pip-version-check --no-index --find-links /wheels cardgen \
    && rm -rf /wheels
RUN useradd --create-home --uid 1000 designer && mkdir /game && chown designer:designer /game
ENV CARDGEN_CACHE=/tmp/cardgen PYTHONDONTWRITEBYTECODE=1
USER designer
WORKDIR /game
ENTRYPOINT ["cardgen"]
CMD ["build", "ptsd", "--sheet", "jumbo"]
