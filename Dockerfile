# docker build -t glasstree . && docker run --rm glasstree
FROM python:3.13-slim
RUN useradd --create-home engineer
COPY . /source
RUN pip install --no-cache-dir /source && rm -r /source
USER engineer
WORKDIR /home/engineer
ENTRYPOINT ["glasstree"]
CMD ["run", "cartpole"]
